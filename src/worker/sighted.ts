import type { Diagnosis } from '../diagnosis/diagnosis.ts'
import { pod as podShape } from '../diagnosis/kubernetes-pod.ts'
import type { Sighting } from '../incidents/sighting.ts'
import type { Question } from '../queue/job.ts'
import type { Read } from './explaining.ts'
import { incidentOwner } from './incident-owner.ts'

/** Causes that a node, or what runs on it, may have for all its pods. */
const nodesCause = /^(node|evict|sandbox|volume|image|network)/

const MAX_FACT = 80

/** `registry.example.com` of an image; images without a host come from Docker Hub. */
const registryOf = (image: string): string => {
  const [first = '', ...rest] = image.split('/')
  return rest.length > 0 && /[.:]|^localhost$/.test(first) ? first : 'docker.io'
}

/** What a cause may have in common with those of other owners: names in its sentence, the registry, the node. */
const factsOf = ({ cause, container, pod, owner }: Diagnosis, nodeName: string | undefined): string[] => {
  const own = new Set([cause.container, container?.name, pod, owner?.name])
  const named = [...cause.summary.matchAll(/`([^`\s]+)`/g)].map(([, name = '']) => name)
  const facts = named.filter(name => !own.has(name) && name.length <= MAX_FACT && !/^\d*$/.test(name))
  if (/^image\./.test(cause.id) && container) facts.push(`registry ${registryOf(container.image)}`)
  if (nodesCause.test(cause.id) && nodeName) facts.push(`node ${nodeName}`)
  return [...new Set(facts)].slice(0, 8)
}

/** What was read, as an incident is told of it. */
export const causeOf = ({ diagnosis, snapshot }: Read): Sighting['cause'] => ({
  id: diagnosis.cause.id,
  container: diagnosis.cause.container,
  summary: diagnosis.cause.summary,
  facts: factsOf(diagnosis, podShape(snapshot.pod)?.spec?.nodeName),
})

/** What a question has led to, to be folded into its owner's incident. `threadTs`: where it is answered. */
export const sighted = (question: Question, read: Read, threadTs: string | null, at: string): Sighting => {
  const { diagnosis, target, cluster } = read
  const owner = incidentOwner(read)
  const ownTarget =
    owner === null ? { kind: 'Pod', name: diagnosis.pod ?? target.name } : { kind: owner.kind, name: owner.name }
  return {
    isAsked: question.via !== 'alert',
    question: question.id,
    cluster,
    namespace: diagnosis.namespace,
    owner,
    target: { cluster, namespace: diagnosis.namespace, ...ownTarget },
    channelId: question.channelId,
    threadTs,
    pod: diagnosis.pod,
    named: question.named,
    cause: causeOf(read),
    at,
  }
}
