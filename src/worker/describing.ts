import type { Message } from '../answer/block-kit.ts'
import { type Described, description } from '../answer/description.ts'
import { eventsAnswer } from '../answer/events-answer.ts'
import { code, plain, title } from '../answer/inline.ts'
import { notification } from '../answer/notification.ts'
import { preformatted, richTextBlock, section } from '../answer/rich-text.ts'
import { type Container, containersOf } from '../diagnosis/containers.ts'
import { workload as workloadShape } from '../diagnosis/kubernetes.ts'
import { pod as podShape } from '../diagnosis/kubernetes-pod.ts'
import { podEvents } from '../diagnosis/pod-events.ts'
import type { PodSnapshot } from '../diagnosis/snapshot.ts'
import type { AnswerAbout } from './answer-records.ts'

/** What stands in a message of its own; a longer description is a file. */
const LONGEST_MESSAGE = 4_000

const ownerObject = ({ related }: PodSnapshot, name: string) => {
  const { deployments = [], statefulSets = [], daemonSets = [], replicaSets = [], jobs = [] } = related
  return [...deployments, ...statefulSets, ...daemonSets, ...replicaSets, ...jobs]
    .map(each => workloadShape(each))
    .find(each => each?.metadata?.name === name)
}

const subjectOf = ({ target, uid, owner }: AnswerAbout): string =>
  uid === null && owner !== null ? `${owner.kind} ${owner.name}` : target.name

/** A pod, or an owner without pods, as text. `snapshot`: without secrets. */
export const describe = (snapshot: PodSnapshot, about: AnswerAbout, cluster: string): string => {
  const pod = podShape(snapshot.pod) ?? null
  const { owner } = about
  const workload = pod === null && owner !== null ? (ownerObject(snapshot, owner.name) ?? null) : null
  const template = workload?.spec?.template
  const containers: readonly Container[] = pod ? containersOf(pod) : template ? containersOf(template) : []
  const { namespace } = snapshot
  const described: Described = { cluster, namespace, owner, pod, containers, workload }
  return description(described)
}

/** The description as a message; null: it is too long for one. */
export const descriptionMessage = (text: string, about: AnswerAbout): Message | null => {
  if (text.length > LONGEST_MESSAGE) return null
  const heading = title([plain('Description of '), code(subjectOf(about))])
  return { text: notification(...heading), blocks: [richTextBlock(section(heading), preformatted(text))] }
}

/** The events of a pod and its owners. `snapshot`: without secrets. */
export const describeEvents = (snapshot: PodSnapshot, about: AnswerAbout): readonly [Message, ...Message[]] => {
  const { events, related, unread } = snapshot
  return eventsAnswer({
    subject: subjectOf(about),
    events: podEvents([...events, ...(related.events ?? [])]),
    unread: unread.filter(({ what }) => what.startsWith('events')).map(({ what, why }) => `${what}: ${why}`),
  })
}
