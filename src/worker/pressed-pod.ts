import type { Message } from '../answer/block-kit.ts'
import { podIsGone } from '../answer/button-notices.ts'
import { unanswerable } from '../answer/notices.ts'
import { ClusterError } from '../cluster/cluster-error.ts'
import { pod as podShape } from '../diagnosis/kubernetes-pod.ts'
import type { PodSnapshot } from '../diagnosis/snapshot.ts'
import type { Target } from '../queue/job.ts'
import { redactText } from '../redaction/redact-text.ts'
import { targetText } from '../slack/question.ts'
import type { AnswerAbout } from './answer-records.ts'
import type { AnyCluster } from './clusters.ts'
import { isExpected } from './explaining.ts'

/** The pod behind an answer's buttons as it is now, with its secrets; or what to tell instead. */
export type PressedPod = { readonly snapshot: PodSnapshot; readonly cluster: AnyCluster } | { readonly notice: Message }

const nameOf = (snapshot: PodSnapshot): string | null => podShape(snapshot.pod)?.metadata?.name ?? null

/** What is said of a pod that is no more: which one has come after it, and how to ask about that. */
export const goneNotice = async (
  { target, owner }: Pick<AnswerAbout, 'target' | 'owner'>,
  { cluster, command, signal }: { cluster: AnyCluster; command: string; signal: AbortSignal },
): Promise<Message> => {
  const { namespace, name } = target
  const above: Target | null = owner && { ...target, ...owner }
  const found = above && (await cluster.about(above, { signal }).catch(unlessCluster))
  const ask = found && above ? above : { ...target, kind: 'Namespace', name: namespace }
  return podIsGone({ pod: name, successor: found && nameOf(found), ask: `${command} ${targetText(ask)}` })
}

const unlessCluster = (error: unknown): null => {
  if (error instanceof ClusterError || (error instanceof Error && error.name === 'NoSuchPod')) return null
  throw error
}

/** Reads the pod that buttons are about. Throws what may pass. */
export const pressedPod = async (
  about: AnswerAbout,
  options: { cluster: AnyCluster; command: string; signal: AbortSignal },
): Promise<PressedPod> => {
  const { cluster, signal } = options
  try {
    const snapshot = await cluster.about(about.target, { signal })
    const uid = podShape(snapshot.pod)?.metadata?.uid ?? null
    const isSame = about.uid === null || uid === about.uid
    return isSame ? { snapshot, cluster } : { notice: await goneNotice(about, options) }
  } catch (error) {
    if (error instanceof Error && error.name === 'NoSuchPod') return { notice: await goneNotice(about, options) }
    if (!isExpected(error)) throw error
    // A refusal may quote the server.
    const { text } = await redactText(error.message)
    return { notice: unanswerable(text) }
  }
}
