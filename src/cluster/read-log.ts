import type { Response } from 'undici'
import { type Api, DeadlineExceeded, reasonOf, StatusError } from './api.ts'
import { kubeletErrorOf } from './kubelet-error.ts'
import type { LogInstance } from './log-instances.ts'
import { openLogTail } from './log-tail.ts'
import { isOfLaterRun, isOfRun, type Run } from './replaced-instance.ts'
import type { Part } from './snapshot-draft.ts'
import { whyUnread } from './why-unread.ts'

/** How much of a log is read. */
export interface LogLimits {
  /** How many lines are asked for. */
  readonly tailLines: number
  /** How much of them is kept: the newest bytes. */
  readonly maxBytes: number
  /** How much is read before giving up on reaching the end. */
  readonly maxReadBytes: number
}

/** For an answer: no log of 2,000 lines of the kubelet's 16 KiB is longer. */
const forAnswer: LogLimits = { tailLines: 2000, maxBytes: 2 * 1024 * 1024, maxReadBytes: 128 * 1024 * 1024 }

const pathOfLog = (
  namespace: string,
  pod: string,
  { container, instance }: LogInstance,
  { tailLines }: LogLimits,
): string => {
  // No limitBytes: it would cut off the newest bytes.
  const search = new URLSearchParams({ container, tailLines: String(tailLines), timestamps: 'true' })
  if (instance === 'previous') search.set('previous', 'true')
  return `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(pod)}/log?${search}`
}

const readTail = async (response: Response, signal: AbortSignal, { maxBytes, maxReadBytes }: LogLimits) => {
  const tail = openLogTail(maxBytes)
  let cut: string | null = null
  try {
    for await (const chunk of response.body ?? []) {
      tail.push(chunk as Uint8Array)
      if (tail.readBytes < maxReadBytes) continue
      cut = `only the first ${maxReadBytes} bytes were read; newer ones are missing`
      break
    }
  } catch (error) {
    const reason = signal.aborted ? reasonOf(signal) : error
    if (signal.aborted && !(reason instanceof DeadlineExceeded)) throw reason
    cut = `${signal.aborted ? 'timeout' : 'the connection broke'} while reading; the newest lines may be missing`
  }
  return { ...tail.end(), cut }
}

/** A log that was read. */
export interface ReadLog {
  readonly text: string
  /** How many bytes before `text` were left out. */
  readonly omittedBytes: number
  /** Why its end is missing; null where it is there. */
  readonly cut: string | null
}

/** Null: the pod is on no node yet. Throws StatusError and what else keeps it from being read. */
const readInstance = async (
  api: Api,
  namespace: string,
  pod: string,
  of: LogInstance,
  signal: AbortSignal,
  limits: LogLimits,
): Promise<ReadLog | null> => {
  const response = await api.stream(pathOfLog(namespace, pod, of, limits), signal)
  return response.status === 204 ? null : readTail(response, signal, limits)
}

const replaced = 'the next instance has started meanwhile, and the log of the one that ended is no longer there'

/** The log of a run that ended, also where the kubelet has started the next one since the pod was read; text: why not. */
const readEndedRun = async (
  ended: Run,
  read: ReadLog | null,
  readPrevious: () => Promise<ReadLog | null>,
): Promise<ReadLog | string | null> => {
  const isLater = read === null || kubeletErrorOf(read.text) !== null ? 'no' : isOfLaterRun(read.text, ended)
  if (isLater === 'no') return read
  const previous = await readPrevious().catch((error: unknown) => {
    if (!(error instanceof StatusError)) throw error
    return null
  })
  if (previous && isOfRun(previous.text, ended)) return previous
  // Without a run before, no next one has started.
  return isLater === 'yes' && previous !== null ? replaced : read
}

/** Why a log could not be read, in the server's words. Throws what is not about the cluster. */
export const whyNoLog = (error: unknown, pod: string): string => {
  const said = whyUnread(error)
  // The node's name in that place means a node that does not exist.
  return said === `pods "${pod}" not found` ? `${said}: it was deleted while it was read` : said
}

/**
 * One log instance of a container; text: why there is none. Throws StatusError and what else keeps it from being read.
 */
export const readLogText = async (
  api: Api,
  namespace: string,
  pod: string,
  of: LogInstance,
  signal: AbortSignal,
  limits: LogLimits,
): Promise<ReadLog | string> => {
  const { container, instance, ended } = of
  const first = await readInstance(api, namespace, pod, of, signal, limits)
  const read =
    ended && instance === 'current'
      ? await readEndedRun(ended, first, () =>
          readInstance(api, namespace, pod, { container, instance: 'previous' }, signal, limits),
        )
      : first
  return read ?? 'no log: the pod is on no node yet'
}

/**
 * One log instance of a container as a Part: its newest lines with timestamps, or the reason why there are none – in
 * `logErrors`, and in `unread` too where it is not the kubelet's own word about the container.
 */
export const readLog = async (
  api: Api,
  namespace: string,
  pod: string,
  of: LogInstance,
  signal: AbortSignal,
): Promise<Part> => {
  const { container, instance } = of
  const what = `log of container "${container}"${instance === 'previous' ? ' (previous)' : ''}`
  try {
    const read = await readLogText(api, namespace, pod, of, signal, forAnswer)
    if (typeof read === 'string') return draft => draft.addLogError(container, instance, read)
    const { text, omittedBytes, cut } = read
    const failure = kubeletErrorOf(text)
    return draft => {
      if (failure !== null) draft.addLogError(container, instance, failure)
      else if (text !== '' || cut === null) draft.addLog(container, instance, text, omittedBytes)
      else draft.addLogError(container, instance, cut)
      if (cut !== null) draft.addUnread(what, cut)
    }
  } catch (error) {
    const why = whyNoLog(error, pod)
    const isKubeletsWord = error instanceof StatusError && error.status === 400
    return draft => {
      draft.addLogError(container, instance, why)
      if (!isKubeletsWord) draft.addUnread(what, why)
    }
  }
}
