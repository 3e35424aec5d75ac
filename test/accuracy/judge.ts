import { diagnose } from '../../src/diagnosis/diagnose.ts'
import type { Diagnosis } from '../../src/diagnosis/diagnosis.ts'
import type { PodSnapshot } from '../../src/diagnosis/snapshot.ts'

/** The right answer to a recording or a case; field names as in both formats. */
export interface Expected {
  readonly status?: string
  readonly container?: string | null
  readonly containerKind?: string
  readonly cause?: string
  readonly causes?: readonly string[]
  readonly category?: string
  readonly exitCode?: number | null
  readonly mustMention?: readonly string[]
  readonly mustNotClaim?: readonly string[]
  readonly healthy?: boolean
}

/** One judged answer; a field is null where the material does not say what is right. */
export interface Judgement {
  readonly name: string
  readonly family: string
  readonly status: boolean | null
  readonly container: boolean
  readonly kind: boolean | null
  readonly cause: boolean
  readonly mentioned: number
  readonly toMention: number
  readonly falseClaims: readonly string[]
  /** What is wrong, one line each. */
  readonly misses: readonly string[]
  readonly diagnosis: Diagnosis
}

const statements = ({ cause, others, exit }: Diagnosis): string =>
  [cause, ...others]
    .flatMap(({ summary, fix, avoid, verify }) => [summary, ...fix, ...avoid, ...verify])
    .concat(exit?.meaning ?? '')
    .join('\n')

/** Everything an answer says, evidence and log included. */
const everything = (diagnosis: Diagnosis): string =>
  JSON.stringify(diagnosis).replaceAll('\\"', '"').replaceAll('`', '')

const has = (text: string, wanted: string): boolean =>
  wanted.split(' / ').some(either => text.toLowerCase().includes(either.trim().toLowerCase()))

const judgeTable = (
  snapshot: { table?: Record<string, string> | null },
  diagnosis: Diagnosis,
  expected: Expected,
): string[] => {
  const { status, ready, restarts } = diagnosis
  const table = snapshot.table
  if (table) {
    const said: Record<string, string | null> = { status, ready, restarts }
    return Object.entries(table).flatMap(([cell, is]) =>
      said[cell] === is ? [] : [`${cell} ${said[cell]} instead of ${is}`],
    )
  }
  const right = expected.status === '(no pod)' ? null : expected.status
  return right === undefined || status === right ? [] : [`status ${status} instead of ${right}`]
}

/** Diagnoses a snapshot and compares with what is right. */
export const judge = (name: string, snapshot: PodSnapshot, expected: Expected): Judgement => {
  const { diagnosis } = diagnose(snapshot)
  const causes = [expected.cause, expected.category, ...(expected.causes ?? [])].filter(cause => cause !== undefined)
  const table = judgeTable(snapshot as object, diagnosis, expected)
  const container = diagnosis.container?.name ?? null
  const isContainer = container === (expected.container ?? null) || (expected.container === null && diagnosis.healthy)
  const kind = diagnosis.container?.kind ?? null
  const hasKind =
    expected.containerKind === undefined || expected.container === null || expected.container === undefined
  // In a scenario's answer the word `scenario` stands for the namespace of the run.
  const written = everything(diagnosis)
  const text = `${written}\n${written.replaceAll(snapshot.namespace, 'scenario')}`
  const missing = (expected.mustMention ?? []).filter(wanted => !has(text, wanted.replaceAll('`', '')))
  const said = statements(diagnosis).replaceAll('`', '')
  const falseClaims = (expected.mustNotClaim ?? []).filter(claim => said.toLowerCase().includes(claim.toLowerCase()))
  const isCause = causes.includes(diagnosis.cause.id)
  return {
    name,
    family: (causes[0] ?? 'none').split('.')[0] ?? '',
    status: snapshot.pod === null ? null : table.length === 0,
    container: isContainer,
    kind: hasKind ? null : kind === expected.containerKind,
    cause: isCause,
    mentioned: (expected.mustMention?.length ?? 0) - missing.length,
    toMention: expected.mustMention?.length ?? 0,
    falseClaims,
    misses: [
      ...table,
      ...(isContainer ? [] : [`container ${container} instead of ${expected.container}`]),
      ...(hasKind || kind === expected.containerKind ? [] : [`kind ${kind} instead of ${expected.containerKind}`]),
      ...(isCause ? [] : [`cause ${diagnosis.cause.id} instead of ${causes.join(' or ')}`]),
      ...missing.map(wanted => `does not mention ${wanted}`),
      ...falseClaims.map(claim => `claims "${claim}"`),
    ],
    diagnosis,
  }
}
