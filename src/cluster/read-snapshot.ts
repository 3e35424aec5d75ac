import type { Diagnosed } from '../diagnosis/diagnose.ts'
import type { PodSnapshot, Request, ServerVersion } from '../diagnosis/snapshot.ts'
import { aboutPod } from './about-pod.ts'
import type { Api } from './api.ts'
import { findTarget } from './find-target.ts'
import type { Found } from './find-workload.ts'
import type { ReadTarget } from './read-target.ts'
import type { Reader } from './reader.ts'
import { nameOf } from './resources.ts'
import { openDraft, type Part } from './snapshot-draft.ts'

/** What reading one snapshot needs. */
export interface Reading {
  readonly api: Api
  readonly reader: Reader
  readonly cluster: string
  /** The server's version, or why it is not known. Never rejects. */
  readonly version: Promise<ServerVersion | string>
  /** Says what more the rules want to see. */
  readonly diagnose: (snapshot: PodSnapshot) => Pick<Diagnosed, 'requests'>
}

const keyOf = (request: Request): string => {
  if (request.read === 'log') return `log ${request.container} ${request.instance}`
  if (request.read === 'list') return `list ${request.list} ${request.namespace}`
  const name = nameOf(request.kind, request.namespace, request.name)
  return request.read === 'events' ? `events of ${name}` : name
}

const fetchRequest = (reader: Reader, snapshot: PodSnapshot, request: Request): Promise<Part> => {
  if (request.read === 'log') return reader.logPart(snapshot.namespace, snapshot.target, request)
  if (request.read === 'list') return reader.listPart(request.list, request.namespace)
  if (request.read === 'events') return reader.eventsPart(request.kind, request.namespace, request.name)
  return reader.objectPart(request.kind, request.namespace, request.name)
}

/** How much is read about what was found. */
export interface Depth {
  /** How often the rules may ask for more. */
  readonly rounds: number
  /** How many logs are read before a rule asks for one. */
  readonly logs: number
}

/** Reads everything about what a target turned out to be; what could not be read is named in the snapshot. */
export const readFound = async (
  { reader, cluster, version, diagnose }: Omit<Reading, 'api'>,
  namespace: string,
  found: Found,
  { rounds, logs }: Depth,
): Promise<PodSnapshot> => {
  const about = found.pod ? aboutPod(reader, namespace, found.pod, found.events, logs) : []
  const [server, parts] = await Promise.all([version, about])

  const draft = openDraft({
    takenAt: found.at ?? `${new Date().toISOString().slice(0, 19)}Z`,
    server: typeof server === 'string' ? null : server,
    cluster,
    namespace,
    target: found.target,
    pod: found.pod,
  })
  if (typeof server === 'string') draft.addUnread('server version', server)
  for (const part of [...found.parts, ...parts]) part(draft)

  for (let round = 0; round < rounds; round++) {
    const snapshot = draft.snapshot()
    const fresh = diagnose(snapshot).requests.filter(request => reader.firstTime(keyOf(request)))
    if (fresh.length === 0) return snapshot
    for (const part of await Promise.all(fresh.map(request => fetchRequest(reader, snapshot, request)))) part(draft)
  }
  return draft.snapshot()
}

/**
 * Reads everything about one target: the pod; at once what is read about every pod; then, at most twice, what the rules
 * ask for. Only finding the target can fail (see findTarget); all else that could not be read is named in the snapshot.
 */
export const readSnapshot = async (reading: Reading, target: ReadTarget): Promise<PodSnapshot> => {
  const found = await findTarget(reading.reader, reading.api, target)
  return readFound(reading, target.namespace, found, { rounds: 2, logs: Number.POSITIVE_INFINITY })
}
