import type { Container } from './containers.ts'
import { newestEvent, type PodEvent } from './pod-events.ts'
import { epochMs } from './rfc3339.ts'

/** How a probe ended an instance: the kubelet's Killing event, and what the probe had said before. */
export interface ProbeKill {
  readonly probe: 'liveness' | 'startup'
  readonly killing: PodEvent
  /** The newest `Unhealthy` event of that probe; null: expired or not recorded. */
  readonly unhealthy: PodEvent | null
}

/** Events carry whole seconds, and the kubelet writes them a little after the act. */
const SLACK_MS = 5_000

/**
 * The probe whose failures made the kubelet end a container's newest ended instance: it says so in a Killing event while
 * that instance ran. An older kill explains an older instance.
 */
export const probeKillOf = (events: readonly PodEvent[], { name, ended }: Container): ProbeKill | null => {
  const own = events.filter(({ container }) => container === name)
  const killing = newestEvent(own, ['Killing'], /failed (?:liveness|startup) probe/)
  if (!killing || !ended) return null
  const killed = epochMs(killing.lastAt)
  const started = epochMs(ended.terminated.startedAt)
  const finished = epochMs(ended.terminated.finishedAt)
  if (killed !== null && started !== null && killed < started - SLACK_MS) return null
  // A kill after that end is about the instance that runs now – and, being repeated, about the one before as well.
  const first = epochMs(killing.firstAt)
  const isRepeated = killing.count > 1 && first !== null && finished !== null && first <= finished + SLACK_MS
  if (killed !== null && finished !== null && killed > finished + SLACK_MS && !isRepeated) return null
  const probe = killing.message.includes('failed startup probe') ? 'startup' : 'liveness'
  const said = probe === 'startup' ? /^Startup probe/ : /^Liveness probe/
  return { probe, killing, unhealthy: newestEvent(own, ['Unhealthy'], said) ?? null }
}
