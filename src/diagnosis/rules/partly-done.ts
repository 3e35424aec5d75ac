import { editOwner } from '../commands.ts'
import { secondsBetween } from '../containers.ts'
import { humanDuration } from '../human-duration.ts'
import { momentOf } from '../moment.ts'
import { ownerOf, specHome } from '../owner.ts'
import { code, type Draft, fact } from '../rule.ts'
import type { View } from '../view.ts'

/** Names and images of helpers that serve the container beside them and never end by themselves. */
const HELPER =
  /proxy|envoy|istio|linkerd|\bdaprd?\b|sidecar|vault-agent|fluent|filebeat|promtail|vector|(?:^|[-/])(?:otel|collector|exporter|agent)\b/i

/** A helper that was told to end takes a moment. */
const ENDS_WITHIN_SECONDS = 60

/** Some containers have finished for good and the others run: a helper that keeps the pod open, or work that goes on. */
export const partlyDone = (view: View): Draft | null => {
  if (view.pod?.status?.phase !== 'Running') return null
  const apps = view.containers.filter(({ kind }) => kind === 'app')
  const done = apps.filter(container => momentOf(view, container) === 'done')
  const running = apps.filter(({ state }) => state.running !== undefined)
  if (done.length === 0 || running.length === 0 || done.length + running.length < apps.length) return null
  const names = (of: typeof apps) => of.map(({ name }) => code(name)).join(', ')
  const finished = done
    .flatMap(({ state }) => state.terminated?.finishedAt ?? [])
    .sort()
    .at(-1)
  const ago = secondsBetween(finished, view.takenAt)
  const evidence = [
    ...done.map(({ statusPath }) => fact(`${statusPath}.state.terminated.exitCode`, '0')),
    ...running.map(({ statusPath, state }) => fact(`${statusPath}.state.running`, `since ${state.running?.startedAt}`)),
  ]
  const isHelper = running.every(({ name, spec }) => HELPER.test(`${name} ${spec.image ?? ''}`))
  if (!isHelper || (ago !== null && ago < ENDS_WITHIN_SECONDS)) {
    return {
      id: 'healthy',
      confidence: 'certain',
      summary: `Nothing is wrong now: ${names(done)} finished with exit code 0, ${names(running)} still runs; the pod ends when it does.`,
      evidence,
      fix: ['Nothing to do.'],
    }
  }
  const owner = ownerOf(view)
  const whole =
    owner?.kind === 'Job' ? `the pod and its Job ${code(owner.name)} never complete` : 'the pod never completes'
  return {
    id: 'job.sidecar-running',
    confidence: 'likely',
    container: running[0]?.name ?? null,
    summary: `The work is done: ${names(done)} ended with exit code 0${ago === null ? '' : ` ${humanDuration(ago)} ago`}. ${names(running)} goes on running, so ${whole}.`,
    evidence,
    fix: [
      `Move ${names(running)} to the init containers with ${code('restartPolicy: Always')} in ${specHome(view)}: a native sidecar is ended when the work is done.`,
      `Or let ${names(done)} end it as its last step (Istio: ${code('POST http://localhost:15020/quitquitquit')}), or leave the helper out of this pod.`,
    ],
    avoid: ['Waiting: a helper of this kind does not end by itself.'],
    commands: editOwner(view),
  }
}
