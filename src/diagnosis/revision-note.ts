import { change, read } from './commands.ts'
import { secondsBetween } from './containers.ts'
import type { Note } from './note.ts'
import { type RevisionChange, revisionChange } from './revision.ts'
import { code, type Draft, fact } from './rule.ts'
import type { Subject } from './subject.ts'

/** Causes that a change of the template can be behind; a node's, a quota's or a scheduler's are none of them. */
const CONCERNED = /^(?:app|init|start|create|probe|oom|image|volume)\.(?!pulling)/
/** Causes that say no more than that it fails: what changed is then the first place to look. */
const UNEXPLAINED = /^(?:app\.(?:crash|silent-exit)|init\.(?:crash|sidecar-crash))$/
/** A revision no older than this is what people mean by "the rollout". */
const FRESH_SECONDS = 3600
/** How many differences a sentence bears; the rest is in the evidence. */
const SAID = 3

/** `12:01 UTC`, with the day where that is not the day of the snapshot. */
const clock = (at: string, takenAt: string | null): string =>
  `${at.slice(0, 10) === takenAt?.slice(0, 10) ? '' : `${at.slice(0, 10)} `}${at.slice(11, 16)} UTC`

const listed = (change: RevisionChange, name: string): string => {
  const { differences } = change
  if (!differences) return `container ${code(name)} is new in it`
  const rest = differences.length - SAID
  return differences
    .slice(0, SAID)
    .map(({ said }) => said)
    .concat(rest > 0 ? [`${rest} more`] : [])
    .join(', ')
}

const evidenceOf = (change: RevisionChange, name: string) => {
  const { replicaSet, beforeReplicaSet, before, beforeReady, revision, at, path, differences } = change
  const source = `ReplicaSet ${replicaSet} ${path}`
  return [
    ...(differences
      ? differences.map(({ field, text }) => fact(`${source}.${field}`, `${text} (revision ${before} → ${revision})`))
      : [fact(source, `revision ${before} has no container ${code(name)}`)]),
    ...(at === null ? [] : [fact(`ReplicaSet ${replicaSet} metadata.creationTimestamp`, at)]),
    fact(`ReplicaSet ${beforeReplicaSet} status.readyReplicas`, `${beforeReady} pods of revision ${before} are ready`),
  ]
}

/** What the newest revision of the Deployment changed of the container in trouble: never a cause, often the trail to it. */
export const sinceRevision = (subject: Subject, { id }: Draft): Note | null => {
  const { view, name } = subject
  if (!CONCERNED.test(id)) return null
  const found = revisionChange(subject)
  if (!found) return null
  const { deployment, revision, before, beforeReady, at } = found
  const age = secondsBetween(at, view.takenAt)
  const isFresh = beforeReady > 0 || (age !== null && age <= FRESH_SECONDS)
  const isUnexplained = UNEXPLAINED.test(id)
  if (!isFresh && !isUnexplained) return null
  const when = at === null ? '' : ` (${clock(at, view.takenAt)})`
  const stillReady =
    beforeReady === 0
      ? ''
      : `; ${beforeReady === 1 ? 'a pod' : `${beforeReady} pods`} of revision ${before} still ready`
  const ref = `deployment/${deployment}`
  const history = (which: number) =>
    read(view, `Template of revision ${which}`, 'rollout', 'history', ref, `--revision=${which}`)
  return {
    text: isFresh ? `Since revision ${revision}${when}: ${listed(found, name)}${stillReady}.` : null,
    evidence: evidenceOf(found, name),
    ...(isUnexplained
      ? {
          first: `Look first at what revision ${revision} of Deployment ${code(deployment)} changed of ${code(name)}${isFresh ? '' : ` – ${listed(found, name)}${when}`}; going back to revision ${before} shows whether that is it.`,
        }
      : {}),
    commands: [
      ...(isUnexplained ? [history(before), history(revision)] : []),
      change(
        view,
        `Back to revision ${before}: takes all that revision ${revision} changed out again, but no migration that has run`,
        'rollout',
        'undo',
        ref,
        `--to-revision=${before}`,
      ),
    ],
  }
}
