/** One rule of a Pod Security level that a template breaks. */
export interface Violation {
  /** `runAsNonRoot != true`. */
  readonly what: string
  readonly containers: readonly string[]
  /** What the container must set, in the admission controller's words. */
  readonly must: string
}

/** What Pod Security admission said (policy/checks.go): the level, and each broken rule. */
export interface PodSecurity {
  /** `restricted:latest`. */
  readonly level: string
  readonly violations: readonly Violation[]
}

/** Cuts at the commas between rules, which stand outside brackets and quotes. */
const rules = (text: string): readonly string[] => {
  const found: string[] = []
  let depth = 0
  let isQuoted = false
  let start = 0
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (char === '"') isQuoted = !isQuoted
    else if (isQuoted) continue
    else if (char === '(' || char === '[') depth++
    else if (char === ')' || char === ']') depth--
    else if (char === ',' && depth === 0) {
      found.push(text.slice(start, at).trim())
      start = at + 1
    }
  }
  return [...found, text.slice(start).trim()].filter(rule => rule !== '')
}

const quoted = (text: string): readonly string[] => [...text.matchAll(/"([^"]+)"/g)].map(([, name]) => name ?? '')

const violationOf = (rule: string): Violation => {
  const open = rule.indexOf(' (')
  const what = open < 0 ? rule : rule.slice(0, open)
  const detail = open < 0 ? '' : rule.slice(open + 2, rule.endsWith(')') ? -1 : undefined)
  // The names stand before the verb: `containers "a", "b" must …`, `container "a" uses hostPort 80`.
  const named = /\bcontainers? ((?:"[^"]*"(?:, )?)+)/.exec(detail)?.[1] ?? ''
  return { what, containers: quoted(named), must: /\bmust (.+)$/s.exec(detail)?.[1] ?? detail }
}

/** Null: it is not Pod Security's message. */
export const podSecurity = (message: string): PodSecurity | null => {
  const [, level, text] = /violates PodSecurity "([^"]*)": (.+)$/s.exec(message) ?? []
  return level === undefined || text === undefined ? null : { level, violations: rules(text).map(violationOf) }
}
