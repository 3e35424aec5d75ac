import { plainText } from './slack-text.ts'

/** A kind as people write it before a name. */
const kind = '(?:pods?|po|deployments?|deploy|statefulsets?|sts|daemonsets?|ds|jobs?|cronjobs?|cj)'
const name = '[a-z0-9][a-z0-9.-]*'
const commands = [/(?:^|\s)((?:kubectl|oc) \S.*)$/, /^\$? ?(k \S.*)$/]
/** `web-1 -n shop`, `deploy web --namespace shop` */
const flagged = new RegExp(`(?:^|\\s)((?:${kind}[ /])?${name} (?:-n|--namespace)[ =]${name})`)
/** `pod web-1 in namespace shop`, `pod/web-1 of the shop namespace` */
const inSentence = new RegExp(`\\b(${kind}[ /]${name}) (?:in|of|from) (?:the )?(?:(?:namespace|ns) )?(${name})`, 'i')
/** A row as `kubectl get pods` and k9s print it, with `-A` after its namespace. */
const row = new RegExp(`^(?:(${name}) )?(${name}) (?:\\S )?(\\d+)/(\\d+) ([A-Z][\\w:]*)`)

const commandIn = (line: string): string | null =>
  commands.map(form => form.exec(line)?.[1]).find(found => found !== undefined) ?? null

/** Listed pods, those that are not well and the others; where rows have no namespace, the command above them says it. */
const inRows = (lines: readonly string[]): { readonly unwell: readonly string[]; readonly well: readonly string[] } => {
  const rows: { target: string; isWell: boolean }[] = []
  let listed: string | undefined
  for (const line of lines) {
    const command = commandIn(line)
    if (command !== null) listed = new RegExp(` (?:-n|--namespace)[ =]?(${name})`).exec(command)?.[1]
    const [, namespace = listed, pod, ready, wanted, status] = row.exec(line) ?? []
    if (pod === undefined || namespace === undefined) continue
    const isWell = status === 'Completed' || (ready === wanted && status === 'Running')
    rows.push({ target: `${namespace}/pod/${pod}`, isWell })
  }
  const those = (are: boolean) => rows.filter(({ isWell }) => isWell === are).map(({ target }) => target)
  return { unwell: those(false), well: those(true) }
}

/** The head of what `kubectl describe pod` prints. */
const inDescription = (lines: readonly string[]): readonly string[] => {
  const fieldOf = (field: string) => lines.find(line => line.startsWith(`${field}: `))?.slice(field.length + 2)
  const [pod, namespace] = [fieldOf('Name'), fieldOf('Namespace')]
  return pod === undefined || namespace === undefined ? [] : [`${namespace}/pod/${pod}`]
}

/**
 * What may be meant by a message in which somebody pasted a line of kubectl, its output, or a row of k9s, or wrote of a pod
 * in a namespace; as one would type it, the likeliest first.
 */
export const pastedTargets = (message: string): readonly string[] => {
  const lines = message.split('\n').map(plainText)
  const typed = lines.map(commandIn).filter(command => command !== null)
  const flags = lines.flatMap(line => (commandIn(line) === null ? (flagged.exec(line)?.[1] ?? []) : []))
  const sentences = lines.flatMap(line => {
    const [, object, namespace] = inSentence.exec(line) ?? []
    return object === undefined ? [] : [`${object.toLowerCase()} -n ${namespace?.replace(/[.]+$/, '')}`]
  })
  const { unwell, well } = inRows(lines)
  // One pod of a list stands out; of more the command above it means all.
  const one = unwell.length === 1 ? unwell : []
  return [...one, ...typed, ...flags, ...inDescription(lines), ...unwell, ...well, ...sentences]
}
