import type { Finding } from '../diagnosis/diagnosis.ts'
import { sentence } from './inline.ts'

/** Something that may be behind the trouble of several owners, as a finding names it. */
const codes = ({ summary }: Finding): readonly string[] =>
  sentence(summary).flatMap(piece => (piece.style === 'code' ? [piece.text] : []))

/** `orders-db` of `orders-db:5432`, `tcp://orders-db.shop.svc.cluster.local:5432` and `orders-db.shop`. */
const hostOf = (text: string, namespace: string): string | null => {
  const [, host = ''] = /^(?:[a-z][a-z+]*:\/\/)?([\w.-]+)(?::\d+)?$/.exec(text) ?? []
  const short = host.replace(/\.svc(?:\.cluster\.local)?\.?$/, '')
  return short.endsWith(`.${namespace}`) ? short.slice(0, -namespace.length - 1) : short || null
}

const registryOf = (image: string): string | null => /^([\w.-]+(?:[.:])[\w.:-]*)(?:\/|$)/.exec(image)?.[1] ?? null

const after = (pattern: RegExp, { summary }: Finding): readonly string[] =>
  [...summary.matchAll(pattern)].map(([whole]) => whole.replaceAll('`', ''))

type Names = (finding: Finding, namespace: string) => readonly (string | null)[]

const dependency = /^(init\.wait-|app\.dependency-|probe\.(readiness-)?dependency$)/

/** Families of causes that one thing may be behind, and what that thing is called in their findings. */
const families: readonly (readonly [RegExp, Names])[] = [
  [
    dependency,
    (finding, namespace) => codes(finding).map(text => (text === finding.container ? null : hostOf(text, namespace))),
  ],
  [/^image\.(auth-|node-dns|registry-|rate-limited)/, finding => codes(finding).map(registryOf)],
  [/^image\./, finding => codes(finding).filter(text => text.includes('/') || text.includes(':'))],
  [/^(create|volume)\.(object|key)-missing$/, finding => after(/\b(?:Secret|ConfigMap) `[^`]+`/g, finding)],
  [
    /^(node\.|sandbox\.|evict\.node-|oom\.node$)/,
    finding => after(/\bnode `[^`]+`/gi, finding).map(found => found.replace(/^N/, 'n')),
  ],
  [/^admission\./, ({ id }) => [id]],
  [/^scheduling\./, ({ id }) => [id]],
]

/** What is behind a finding and may be behind others, most telling first; the same text means the same thing. */
export const suspectsOf = (finding: Finding, namespace: string): readonly string[] => {
  const family = families.find(([id]) => id.test(finding.id))
  if (!family) return []
  const [id, names] = family
  return [...new Set(names(finding, namespace).filter(name => name !== null))].map(name => `${id.source} ${name}`)
}

/** What others would suspect where they wait for an owner's pods. */
export const suspectedAs = (name: string): string => `${dependency.source} ${name}`

/** The name in a suspect; null where its cause has none. */
export const suspectName = (suspect: string): string | null => {
  const name = suspect.slice(suspect.indexOf(' ') + 1)
  return /^(admission|scheduling)\./.test(name) ? null : name
}
