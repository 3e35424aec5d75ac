import { job } from './kubernetes.ts'
import type { Note } from './note.ts'
import { ownerOf } from './owner.ts'
import { sinceRevision } from './revision-note.ts'
import { code, type Draft, fact } from './rule.ts'
import type { Subject } from './subject.ts'

/** `Init:*` on a pod that has started reads as if the app were down. */
const stillServing = ({ container, view }: Subject): Note | null => {
  if (container.kind !== 'sidecar') return null
  const running = view.containers.filter(({ kind, state }) => kind === 'app' && state.running)
  if (running.length === 0 || view.condition('Initialized')?.status !== 'True') return null
  const names = running.map(({ name }) => code(name)).join(', ')
  const isReady = view.condition('Ready')?.status === 'True'
  return {
    text: `Initialisation is long done and ${names} still runs${isReady ? '' : ', but while the sidecar is down the pod is not Ready, so its Services send it no traffic'}.`,
    evidence: [
      fact('status.conditions[Initialized]', 'initialisation is over'),
      fact(`${container.specPath}.restartPolicy`, '`Always`: a sidecar, no ordinary init container'),
    ],
  }
}

/** Nobody restarts a container of a pod that is over; a Job may have stopped making new pods. */
const nothingRetries = ({ container, view, moment }: Subject): Note | null => {
  if (moment !== 'failed' || view.pod?.metadata?.deletionTimestamp !== undefined) return null
  const policy = container.spec.restartPolicy ?? view.pod?.spec?.restartPolicy ?? 'Always'
  if (policy === 'Always') return null
  const owner = ownerOf(view)
  const evidence = [fact('spec.restartPolicy', code(policy))]
  if (owner?.kind !== 'Job')
    return { text: `Nothing will start it again (${code(`restartPolicy: ${policy}`)}).`, evidence }
  const found = view.object('Job', view.namespace, owner.name, job)
  if (found === null || found === 'absent') return null
  const failed = found.status?.conditions?.find(({ type, status }) => type === 'Failed' && status === 'True')
  if (!failed) return null
  const limit =
    failed.reason === 'BackoffLimitExceeded'
      ? ` has used up its backoffLimit (${found.spec?.backoffLimit ?? 6})`
      : ` has failed (${failed.reason ?? ''})`
  return {
    text: `Job ${code(owner.name)}${limit}: no further pod is made; after the fix delete the Job and create it again.`,
    evidence: [...evidence, fact(`Job ${owner.name} status.conditions[Failed]`, code(failed.reason ?? 'True'))],
  }
}

/** The pod says Never, but the container has a policy or a rule of its own. */
const ownRule = ({ container, view, moment, exitCode }: Subject): Note | null => {
  const podPolicy = view.pod?.spec?.restartPolicy ?? 'Always'
  if (moment !== 'looping' || container.kind !== 'app' || podPolicy !== 'Never') return null
  const isRule = (container.spec.restartPolicyRules ?? []).length > 0
  return {
    text: isRule
      ? `Although the pod's restartPolicy is Never, a restart rule of the container restarts it in place on exit code ${exitCode}.`
      : `Although the pod's restartPolicy is Never, the container's own policy ${code(container.spec.restartPolicy ?? '')} restarts it.`,
    evidence: [
      fact(
        `${container.specPath}.${isRule ? 'restartPolicyRules' : 'restartPolicy'}`,
        isRule ? 'set' : code(container.spec.restartPolicy ?? ''),
      ),
    ],
  }
}

/** Other pods of the owner in the same trouble: then it is the template, not this pod. */
const alike = ({ container, view, moment }: Subject): Note | null => {
  if (moment !== 'looping' && moment !== 'blocked') return null
  const siblings = view.siblings()
  const same = siblings.filter(({ status }) =>
    [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])].some(
      ({ name, ready, state, restartCount = 0 }) => {
        if (name !== container.name || ready) return false
        return moment === 'blocked'
          ? state?.waiting?.reason === container.state.waiting?.reason
          : restartCount > 0 || state?.terminated !== undefined
      },
    ),
  )
  if (same.length === 0 || same.length < siblings.length) return null
  if (view.hasMoreSiblings) {
    return {
      text: `At least ${same.length} other ${same.length === 1 ? 'replica fails' : 'replicas fail'} alike.`,
      evidence: [
        fact(
          'pods of the same owner',
          `${code(container.name)} fails in at least ${same.length} others; not all were read`,
        ),
      ],
    }
  }
  return {
    text: `${same.length === 1 ? 'The other replica fails' : `All ${same.length + 1} replicas fail`} alike.`,
    evidence: [
      fact(
        'pods of the same owner',
        `${code(container.name)} fails in ${siblings.length === 1 ? 'the other one, too' : `all ${siblings.length} others, too`}`,
      ),
    ],
  }
}

const ordinal = (n: number): string => {
  const teen = n % 100 >= 11 && n % 100 <= 13
  return `${n}${(teen ? undefined : ['th', 'st', 'nd', 'rd'][n % 10]) ?? 'th'}`
}

/** The run between two crashes: the same failure, but not what its STATUS and a crash loop's summary suggest. */
const runsAgain = ({ container, moment }: Subject): Note | null => {
  const { running } = container.state
  if (moment !== 'looping' || running === undefined || container.restartCount === 0) return null
  const since = running.startedAt === undefined ? '' : ` since ${running.startedAt}`
  const which = ordinal(container.restartCount + 1)
  return {
    text: null,
    evidence: [fact(`${container.statusPath}.state.running`, `runs again${since}, for the ${which} time`)],
  }
}

/** Causes that another node may not have. */
const OF_THE_NODE =
  /^(?:app\.(?:cpu-or-kernel-abi|exec-format|node-kernel-limit|port-in-use)|oom\.node|create\.other|image\.platform-missing)$/

/** Who restarts what: a crash loop never moves, however long it lasts. */
const staysOnNode = ({ view, moment, name }: Subject, { id }: Draft): Note | null => {
  const node = view.pod?.spec?.nodeName
  if (!OF_THE_NODE.test(id) || node === undefined || (moment !== 'looping' && moment !== 'blocked')) return null
  const said = `the kubelet of ${code(node)} restarts ${code(name)} in place; only a new pod can get another node`
  return { text: null, evidence: [fact('spec.nodeName', said)] }
}

const NOTES = [stillServing, runsAgain, nothingRetries, ownRule, staysOnNode, alike, sinceRevision]

/** The quoted line at the end of a summary; it stands in the evidence as well, a note does not. */
const QUOTED_LINE = / Its log says `[^`]*`\.$/

/** A headline with what must be said beside it. */
export const withNotes = (draft: Draft, subject: Subject | undefined): Draft => {
  if (!subject) return draft
  const notes = NOTES.map(note => note(subject, draft)).filter(note => note !== null)
  const quoted = QUOTED_LINE.exec(draft.summary)?.[0] ?? ''
  return {
    ...draft,
    summary: [draft.summary.replace(QUOTED_LINE, ''), ...notes.flatMap(({ text }) => text ?? [])].join(' ') + quoted,
    evidence: [...draft.evidence, ...notes.flatMap(({ evidence }) => evidence)],
    fix: [...notes.flatMap(({ first }) => first ?? []), ...draft.fix],
    commands: [...(draft.commands ?? []), ...notes.flatMap(({ commands }) => commands ?? [])],
  }
}
