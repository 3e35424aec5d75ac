import { pod as podShape } from '../diagnosis/kubernetes-pod.ts'
import type { JsonObject } from '../diagnosis/snapshot.ts'
import { logInstances } from './log-instances.ts'
import { controllerOf, metadataOf } from './metadata.ts'
import { readPodEvents } from './pod-events.ts'
import type { Reader } from './reader.ts'
import { nameOf, resourceOfKind, resourceOfList } from './resources.ts'
import type { Part } from './snapshot-draft.ts'
import { isNotFound, whyUnread } from './why-unread.ts'

const ownerKinds = new Set(['ReplicaSet', 'StatefulSet', 'DaemonSet', 'Job'])
const siblingLabels = ['pod-template-hash', 'controller-revision-hash', 'batch.kubernetes.io/job-name', 'job-name']

const nothing: Part = () => {}

/** The Deployment is guessed from the names, so that it need not wait for the ReplicaSet that knows it. */
const replicaSetParts = async (reader: Reader, namespace: string, name: string, hash: string): Promise<Part> => {
  const replicaSets = resourceOfList('replicaSets')
  const deployments = resourceOfList('deployments')
  const guess = name.endsWith(`-${hash}`) ? name.slice(0, -hash.length - 1) : null
  const isNew = guess !== null && reader.firstTime(nameOf('Deployment', namespace, guess))
  const what = nameOf('ReplicaSet', namespace, name)
  const [set, deployment] = await Promise.all([
    reader.get(replicaSets, namespace, name).catch((error: unknown) => (isNotFound(error) ? null : whyUnread(error))),
    isNew
      ? reader
          .get(deployments, namespace, guess)
          .catch((error: unknown) => (isNotFound(error) ? null : whyUnread(error)))
      : null,
  ])
  if (set === null) return draft => draft.addAbsent(what)
  if (typeof set === 'string') return draft => draft.addUnread(what, set)
  return draft => {
    draft.addRelated('replicaSets', [set.body], 'only those asked for')
    const owner = controllerOf(set.body)
    if (owner?.kind !== 'Deployment' || owner.name !== guess || !isNew) return
    const ownerName = nameOf('Deployment', namespace, guess)
    if (typeof deployment === 'string') draft.addUnread(ownerName, deployment)
    else if (!deployment) draft.addAbsent(ownerName)
    else if (metadataOf(deployment.body).uid === owner.uid)
      draft.addRelated('deployments', [deployment.body], 'only those asked for')
  }
}

const ownerPart = async (reader: Reader, namespace: string, pod: JsonObject): Promise<Part> => {
  const { kind, name } = controllerOf(pod) ?? {}
  if (!kind || !name || !ownerKinds.has(kind) || !resourceOfKind(kind)) return nothing
  if (!reader.firstTime(nameOf(kind, namespace, name))) return nothing
  if (kind !== 'ReplicaSet') return reader.objectPart(kind, namespace, name)
  return replicaSetParts(reader, namespace, name, metadataOf(pod).labels?.['pod-template-hash'] ?? '')
}

const siblingsPart = async (reader: Reader, namespace: string, pod: JsonObject): Promise<Part> => {
  const labels = metadataOf(pod).labels ?? {}
  const label = siblingLabels.find(known => labels[known] !== undefined)
  if (!label || !controllerOf(pod) || !reader.firstTime('siblings')) return nothing
  return reader.listPart('pods', namespace, `${label}=${labels[label]}`)
}

const nodePart = async (reader: Reader, pod: JsonObject): Promise<Part> => {
  const node = podShape(pod)?.spec?.nodeName
  return node && reader.firstTime(nameOf('Node', '', node)) ? reader.objectPart('Node', '', node) : nothing
}

/**
 * What is read about every pod, all at once: its events (unless `events` has them), the logs of what fails, its owner and the
 * Deployment above, its siblings, its node.
 * @param maxLogs how many logs are read before a rule asks for one
 */
export const aboutPod = (
  reader: Reader,
  namespace: string,
  pod: JsonObject,
  events: Part | null,
  maxLogs = Number.POSITIVE_INFINITY,
): Promise<readonly Part[]> => {
  const name = metadataOf(pod).name ?? ''
  const instances = logInstances(pod).slice(0, maxLogs)
  const logs = instances.filter(({ container, instance }) => reader.firstTime(`log ${container} ${instance}`))
  return Promise.all([
    events ?? readPodEvents(reader, namespace, name).then(read => read.partFor(pod)),
    ...logs.map(of => reader.logPart(namespace, name, of)),
    ownerPart(reader, namespace, pod),
    siblingsPart(reader, namespace, pod),
    nodePart(reader, pod),
  ])
}
