import { change, editOwner } from './commands.ts'
import type { Command } from './diagnosis.ts'
import { cronJobOf, isStaticPod, ownerOf, specHome } from './owner.ts'
import { code, type Draft } from './rule.ts'
import type { Subject } from './subject.ts'
import type { View } from './view.ts'

/** Causes whose cure lies outside the pod: no new pod comes of it, and the old one may wait on. */
const OUTSIDE =
  /^(?:app\.(?:dependency-unreachable|dependency-auth|cloud-identity|api-forbidden|node-kernel-limit|dns-loop)|volume\.permission)$/
const NAMES_AN_OBJECT = /\b(?:ConfigMap|Secret|Service|Role|RoleBinding) `/
/** The rule has said it already. */
const IS_SAID = /create (?:it|the pod|the Job) (?:anew|again)|cannot be changed/

/** Causes that are cured in the pod's spec, also where the advice speaks of the program rather than of the object. */
const IN_THE_SPEC =
  /^(?:app\.(?:runtime-heap|exec-format|exec-not-runnable|port-in-use|bind-denied|read-only-root|cpu-or-kernel-abi|permission)|start\.(?!hook)|image\.(?:not-found|invalid-name|platform-missing)|init\.wait-broken-check|oom\.(?!misreported)|volume\.(?:permission|unsuitable-mountpoint))/

/** The fix with the object to change, where none of its steps names one. */
const withHome = (draft: Draft, view: View): readonly string[] => {
  const home = specHome(view)
  const [first, ...rest] = draft.fix
  if (first === undefined || !IN_THE_SPEC.test(draft.id) || draft.fix.some(step => step.includes(home)))
    return draft.fix
  return [`${first} Where: ${home}.`, ...rest]
}

/** Refusals of what a template says, not of whoever guards the namespace. */
const ASKS_TOO_MUCH = /^admission\.(?:pod-security|invalid-spec|quota)$/

interface Step {
  readonly fix: string
  readonly commands?: readonly Command[]
}

/** A container that ended is started again after a wait, and what was mended elsewhere does not cut that short. */
const skipBackOff = (draft: Draft, subject: Subject): Step | null => {
  const { view, moment, name, container } = subject
  const isOutside = OUTSIDE.test(draft.id) || draft.fix.some(step => NAMES_AN_OBJECT.test(step))
  if (moment !== 'looping' || container.restartCount === 0 || !isOutside || draft.isSymptom) return null
  const waits = `After a fix outside the pod ${code(name)} may still wait in back-off, up to 5 minutes`
  const owner = ownerOf(view)
  if (!owner) return { fix: `${waits}; it is then started by itself.` }
  return {
    fix: `${waits}: deleting the pod skips the wait, and ${owner.kind} ${code(owner.name)} makes a new one.`,
    commands: [
      change(
        view,
        `Skip the back-off once it is mended (the logs of this pod go with it)`,
        'delete',
        'pod',
        view.pod?.metadata?.name ?? '',
      ),
    ],
  }
}

/** `nightly-28531200` → `nightly-by-hand`, short enough for a Job. */
const byHand = (cronJob: string): string => `${cronJob.slice(0, 54)}-by-hand`

/** A CronJob names its Jobs after the minute they are due. */
const TIMED = /-\d{7,}$/

/** Of a pod that exists `image` can be set, and since 1.33 its memory and CPU; all else needs a new one. */
const bare = ({ id }: Draft, { minor }: View, pod: string): Step | null => {
  if (id.startsWith('image.')) return null
  if (id === 'oom.container-limit' && minor !== null && minor >= 33)
    return { fix: `A limit of pod ${pod} can be raised in place: ${code('kubectl edit pod … --subresource=resize')}.` }
  return {
    fix: `That cannot be changed in a pod that exists, and nothing makes ${pod} again: delete it and create it anew from the corrected manifest.`,
  }
}

/** What has to be done so that a changed spec reaches a pod; a Deployment and a DaemonSet do it themselves. */
const replacePod = (draft: Draft, view: View): Step | null => {
  const home = specHome(view)
  if (!draft.fix.some(step => step.includes(home))) return null
  const pod = code(view.pod?.metadata?.name ?? view.snapshot.target)
  const owner = ownerOf(view)
  if (isStaticPod(view))
    return { fix: 'The kubelet takes up the changed manifest by itself; deleting the pod in the API changes nothing.' }
  if (!owner) return bare(draft, view, pod)
  const cronJob = cronJobOf(view)
  if (cronJob) {
    return {
      fix: `Job ${code(owner.name)} keeps the template it was made with; the next run of CronJob ${code(cronJob.name)} takes the change.`,
      commands: [
        change(
          view,
          `Run it now, with the change`,
          'create',
          'job',
          byHand(cronJob.name),
          `--from=cronjob/${cronJob.name}`,
        ),
      ],
    }
  }
  if (owner.kind === 'Job') {
    const orNext = TIMED.test(owner.name) ? ', or change the CronJob that made it, for the next run' : ''
    return {
      fix: `The pod template of a Job cannot be changed: delete Job ${code(owner.name)} and create it anew${orNext}.`,
    }
  }
  if (owner.kind === 'StatefulSet' && view.pod && !/^scheduling\.pvc-/.test(draft.id))
    return {
      fix: `A StatefulSet that updates in order may wait for its broken pod instead of replacing it: delete pod ${pod} after the change.`,
    }
  if (owner.kind === 'ReplicaSet' && view.pod && !home.startsWith('the Deployment'))
    return { fix: `A ReplicaSet does not replace pods it has: delete pod ${pod} after the change.` }
  return null
}

/** How to see that it worked, where the cause has no better sign. */
const sign = ({ moment, name, isInit, container, view }: Subject): string => {
  if (moment === 'failed') {
    const owner = ownerOf(view)
    return owner?.kind === 'Job'
      ? `The new pod of Job ${code(owner.name)} ends with phase Succeeded.`
      : 'The new pod gets past this point.'
  }
  if (isInit) {
    const isLast = container.position === container.of
    return `${code(name)} ends with exit code 0, and ${isLast ? `STATUS no longer begins with ${code('Init:')}` : 'the next init container starts'}.`
  }
  if (moment === 'looping') return `${code(name)} runs on after its next start, and RESTARTS no longer grows.`
  return container.state.running
    ? `READY counts ${code(name)}, and it stays so.`
    : `${code(name)} is created and started: event ${code('Started')}.`
}

/** A headline with what its cure still needs: a new pod, a wait that can be skipped, a sign that it worked. */
export const withApplying = (found: Draft, view: View, subject: Subject | undefined): Draft => {
  const isRefused = !view.pod && found.id.startsWith('admission.')
  if ((!view.pod && !isRefused) || found.id === 'healthy' || found.id === 'completed') return found
  const draft = { ...found, fix: withHome(found, view) }
  const isSaid = IS_SAID.test([draft.summary, ...draft.fix].join(' '))
  const replaced = isSaid ? null : replacePod(draft, view)
  const isDeletedAnyway = replaced?.fix.includes(': delete pod') ?? false
  const skipped = subject && !isDeletedAnyway ? skipBackOff(draft, subject) : null
  const known = [replaced, skipped].filter(step => step !== null)
  const edits = ASKS_TOO_MUCH.test(draft.id) ? editOwner(view) : []
  return {
    ...draft,
    fix: [...draft.fix, ...known.map(({ fix }) => fix)],
    verify: draft.verify?.length || !subject ? (draft.verify ?? []) : [sign(subject)],
    commands: [...(draft.commands ?? []), ...edits, ...known.flatMap(({ commands }) => commands ?? [])],
  }
}
