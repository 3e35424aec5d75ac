import type { BlamedContainer, Diagnosis, Evidence, Finding, LogExcerpt } from '../diagnosis/diagnosis.ts'
import type { Unread } from '../diagnosis/snapshot.ts'
import { kubectlCommand } from './kubectl-command.ts'

/** The JSON answer, schema `podwhy/v1`: others script against it. Times are RFC 3339; the order of keys is fixed. */
export interface JsonAnswer {
  readonly schema: 'podwhy/v1'
  readonly cluster: string | null
  readonly namespace: string
  readonly pod: string | null
  readonly owner: { readonly kind: string; readonly name: string } | null
  readonly uid: string | null
  readonly takenAt: string | null
  readonly status: string | null
  readonly ready: string | null
  readonly restarts: string | null
  readonly since: string | null
  readonly healthy: boolean
  readonly container: BlamedContainer | null
  readonly exit: {
    readonly code: number
    readonly signal: string | null
    readonly reason: string
    readonly meaning: string
  } | null
  readonly cause: Finding
  readonly others: readonly Finding[]
  readonly log: Omit<LogExcerpt, 'firstAt' | 'lastAt'> | null
  readonly nextRestart: string | null
  readonly commands: readonly { readonly purpose: string; readonly command: string; readonly changes: boolean }[]
  readonly unread: readonly Unread[]
}

const evidence = ({ source, text }: Evidence): Evidence => ({ source, text })

const finding = ({ id, confidence, container, summary, evidence: facts, fix, avoid, verify }: Finding): Finding => ({
  id,
  confidence,
  container,
  summary,
  evidence: facts.map(evidence),
  fix,
  avoid,
  verify,
})

const blamed = ({ name, kind, position, of, image, restartCount }: BlamedContainer): BlamedContainer => ({
  name,
  kind,
  position,
  of,
  image,
  restartCount,
})

const exit = ({ code, signal, reason, meaning }: NonNullable<Diagnosis['exit']>): JsonAnswer['exit'] => ({
  code,
  signal,
  reason,
  meaning,
})

const log = ({ container, instance, restart, lines, omitted, redacted, missing }: LogExcerpt): JsonAnswer['log'] => ({
  container,
  instance,
  restart,
  lines,
  omitted,
  redacted,
  missing,
})

/** The diagnosis as one JSON object, whole: nothing in it is shortened. */
export const jsonAnswer = (diagnosis: Diagnosis): JsonAnswer => ({
  schema: 'podwhy/v1',
  cluster: diagnosis.cluster,
  namespace: diagnosis.namespace,
  pod: diagnosis.pod,
  owner: diagnosis.owner === null ? null : { kind: diagnosis.owner.kind, name: diagnosis.owner.name },
  uid: diagnosis.uid,
  takenAt: diagnosis.takenAt,
  status: diagnosis.status,
  ready: diagnosis.ready,
  restarts: diagnosis.restarts,
  since: diagnosis.since,
  healthy: diagnosis.healthy,
  container: diagnosis.container === null ? null : blamed(diagnosis.container),
  exit: diagnosis.exit === null ? null : exit(diagnosis.exit),
  cause: finding(diagnosis.cause),
  others: diagnosis.others.map(finding),
  log: diagnosis.log === null ? null : log(diagnosis.log),
  nextRestart: diagnosis.nextRestart,
  commands: diagnosis.commands.map(({ purpose, argv, changes }) => ({
    purpose,
    command: kubectlCommand(argv),
    changes,
  })),
  unread: diagnosis.unread.map(({ what, why }) => ({ what, why })),
})
