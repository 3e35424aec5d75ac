import { nodeOf } from '../node-trouble.ts'
import type { PodEvent } from '../pod-events.ts'
import { unresolved } from '../pod-progress.ts'
import { code, type Draft, eventFact, type PodRule, quote } from '../rule.ts'
import { onlyContainer } from '../successor.ts'
import type { View } from '../view.ts'
import { sandboxClass } from './sandbox-classes.ts'
import { describeNode } from './unscheduled.ts'
import { isMountFailure } from './volume-mount-classes.ts'

const REASONS: ReadonlySet<string> = new Set([
  'FailedCreatePodSandBox',
  'FailedCreatePodSandbox',
  'FailedPodSandBoxStatus',
  'NetworkNotReady',
  'FailedCreatePodContainer',
])

/** Ids of sandboxes and attempts, which differ in each event, say nothing. */
const withoutIds = (message: string): string =>
  message
    .replace(/^(?:\(combined from similar events\): )?Failed (?:to )?create pod sandbox: /, '')
    .replace(/^unable to ensure pod container exists: /, '')
    .replace(/(?:rpc error: )?code = (?:Unknown|NotFound|Unavailable|Internal) desc = /, '')
    .replace(/ sandbox "[0-9a-f]{10,64}"/g, ' sandbox')

/** The newest sandbox failure, unless volumes fail later: they are mounted before the sandbox is made. */
const newestFailure = (view: View): PodEvent | null => {
  const events = view.events.filter(event => REASONS.has(event.reason) || isMountFailure(event))
  const newest = unresolved(view, events)
  return newest && REASONS.has(newest.reason) ? newest : null
}

/** The pod's sandbox – its network, its pause container – cannot be made. */
export const sandbox: PodRule = view => {
  const event = newestFailure(view)
  if (!event) return null
  const said = withoutIds(event.message)
  const found = nodeOf(view)
  const node = view.pod?.spec?.nodeName ?? ''
  const isWithoutRange = found !== null && found !== 'absent' && !found.spec?.podCIDR
  const { id, what, fix, avoid, isLikely } = sandboxClass(said, event.reason, isWithoutRange)
  const draft: Draft = {
    id,
    confidence: isLikely ? 'likely' : 'certain',
    container: id.startsWith('node.') ? null : onlyContainer(view),
    summary: `No container has started: ${what} on node ${code(node)} – ${quote(said, 200)}.`,
    evidence: [eventFact(event, quote(event.message, 500))],
    fix: fix.map(step => step.replaceAll('{node}', code(node))),
    avoid: avoid ?? [],
    verify: [
      'The pod gets its sandbox at the next try, within a minute or two: PodReadyToStartContainers becomes True.',
    ],
    commands: [describeNode(node)],
  }
  return draft
}
