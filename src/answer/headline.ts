import type { Diagnosis, Finding } from '../diagnosis/diagnosis.ts'
import { bold, code, type Inline, italic, plain, sentence, time, visibleText } from './inline.ts'

/** How bad: nothing wrong (or finished, or gone) · degraded or waiting · broken. */
export type State = 'fine' | 'degraded' | 'broken'

/** A STATUS in which nothing has failed outright. */
const calm = /^(Init:\d+\/\d+|PodInitializing|ContainerCreating|Running|NotReady|Terminating|SchedulingGated)$/

export const state = (diagnosis: Diagnosis): State => {
  if (diagnosis.healthy || diagnosis.cause.id === 'gone') return 'fine'
  if (diagnosis.container?.kind === 'sidecar') return 'degraded'
  if (diagnosis.exit !== null && diagnosis.exit.code !== 0) return 'broken'
  return calm.test(diagnosis.status ?? '') ? 'degraded' : 'broken'
}

/** The pod; where there is none, its owner. */
export const subject = ({ pod, owner, namespace }: Diagnosis): string =>
  pod ?? (owner === null ? `pods of ${namespace}` : `${owner.kind} ${owner.name}`)

const restarts = (printed: string | null): Inline[] => {
  const count = /^\d+/.exec(printed ?? '')?.[0] ?? '0'
  return count === '0' ? [] : [plain(`, ${count} ${count === '1' ? 'restart' : 'restarts'}`)]
}

/** Which pod, where, in which state, since when: `web-5d4f · shop · prod-eu · Running, 1/2 ready, 3 restarts`. */
export const head = (diagnosis: Diagnosis): Inline[] => {
  const since = time(diagnosis.since, 'day', true)
  return [
    bold(subject(diagnosis)),
    plain(' · '),
    code(diagnosis.namespace),
    ...(diagnosis.cluster === null ? [] : [plain(` · ${diagnosis.cluster}`)]),
    plain(' · '),
    ...(diagnosis.status === null
      ? [plain(diagnosis.cause.id === 'gone' ? 'gone' : 'no pod')]
      : [code(diagnosis.status)]),
    ...(diagnosis.ready === null ? [] : [plain(`, ${diagnosis.ready} ready`)]),
    ...restarts(diagnosis.restarts),
    ...(since.length === 0 ? [] : [plain(', since '), ...since]),
  ]
}

/** Where no rule knows the cause, the summary states facts only: it is not the statement that is uncertain. */
const isUnexplained = ({ id }: Finding) => /^(app\.crash|init\.crash|init\.sidecar-crash)$|\.other$/.test(id)

/** `Likely:` or `Possibly:` where the finding is not certain and its text does not say so itself. */
const hedge = (finding: Finding): Inline[] => {
  if (finding.confidence === 'certain' || isUnexplained(finding)) return []
  if (/\b(likely|possibl[ey]|probabl[ey]|perhaps)\b/i.test(finding.summary)) return []
  return [italic(finding.confidence === 'likely' ? 'Likely:' : 'Possibly:'), plain(' ')]
}

/** `init container 2 of 3`, `sidecar`; null for the kinds that nobody confuses. */
const place = ({ container }: Diagnosis, before: string): string | null => {
  if (container?.kind === 'sidecar') return /sidecar/i.test(before) ? null : 'sidecar'
  if (container?.kind !== 'init') return null
  const position = `${container.position} of ${container.of}`
  return /init container/i.test(before) ? position : `init container ${position}`
}

/**
 * A finding's summary with its container's name in bold. The rule: the first code piece that is exactly the name becomes
 * bold; a summary that does not name its container is led by the name. An init container's position and the word
 * sidecar are added behind the name, where the summary does not have them.
 */
export const cause = (diagnosis: Diagnosis, finding: Finding = diagnosis.cause): Inline[] => {
  const name = finding.container
  const pieces = sentence(finding.summary)
  if (name === null) return [...hedge(finding), ...pieces]
  const isBlamed = diagnosis.container?.name === name
  const found = pieces.findIndex(piece => piece.style === 'code' && piece.text === name)
  if (found < 0) {
    const where = isBlamed ? place(diagnosis, '') : null
    return [bold(name), plain(where === null ? ': ' : ` (${where}): `), ...hedge(finding), ...pieces]
  }
  const before = visibleText(pieces.slice(0, found))
  const after = visibleText(pieces.slice(found + 1))
  const isSaid = /\d+ of \d+|sidecar/i.test(after.slice(0, 40)) || !/^[\s,.:;]/.test(after)
  const where = isBlamed && !isSaid ? place(diagnosis, before) : null
  return [
    ...hedge(finding),
    ...pieces.slice(0, found),
    bold(name),
    ...(where === null ? [] : [plain(` (${where})`)]),
    ...pieces.slice(found + 1),
  ]
}

/** The one thing to do, and what to call it: where the cause is not known it is the next step, not the cure. */
export const remedy = ({ cause }: Diagnosis): { readonly label: 'Do:' | 'Next:'; readonly line: Inline[] } | null => {
  const first = cause.fix[0]
  return first === undefined ? null : { label: isUnexplained(cause) ? 'Next:' : 'Do:', line: sentence(first) }
}

/** `The kubelet tries again at 21:37:50.`, or, where that time had come when the pod was read, any moment. */
export const nextTry = ({ nextRestart, takenAt }: Diagnosis): Inline[] => {
  const at = time(nextRestart, 'clock', true)
  if (at.length === 0) return []
  const isDue = takenAt !== null && Date.parse(nextRestart ?? '') <= Date.parse(takenAt)
  return isDue
    ? [plain('The kubelet tries again any moment.')]
    : [plain('The kubelet tries again at '), ...at, plain('.')]
}

const LEADS_TO_QUOTE = / ?\b(?:Its|The) log says $/

/**
 * The cause without a log line quoted at its end, where that line stands among the evidence: what has to be left out of
 * a message that is enough to act on is the proof, which the thread has anyway.
 */
export const withoutProof = (pieces: readonly Inline[], { cause: { evidence } }: Diagnosis): readonly Inline[] => {
  const [lead, quote, stop] = pieces.slice(-3)
  if (lead?.style !== 'plain' || quote?.style !== 'code' || stop?.style !== 'plain') return pieces
  if (!LEADS_TO_QUOTE.test(lead.text) || !/^[.!?]$/.test(stop.text)) return pieces
  const isProven = evidence.some(({ text }) => text.includes(quote.text.replace(/…$/, '')))
  return isProven ? [...pieces.slice(0, -3), { ...lead, text: lead.text.replace(LEADS_TO_QUOTE, '') }] : pieces
}
