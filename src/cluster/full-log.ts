import type { Api } from './api.ts'
import { kubeletErrorOf } from './kubelet-error.ts'
import type { LogInstance } from './log-instances.ts'
import { readLogText, whyNoLog } from './read-log.ts'

/** Which log, and of which pod. */
export interface LogOf extends LogInstance {
  readonly namespace: string
  readonly pod: string
}

/** A log as far back as was asked for. */
export interface FullLog {
  /** Its newest lines, each with its time; '' where there are none. */
  readonly text: string
  /** How many bytes before `text` were left out. */
  readonly omittedBytes: number
  /** Why its end is missing; null where it is there. */
  readonly cut: string | null
  /** Why there is no log; null where there is one, be it empty. */
  readonly missing: string | null
}

/** No line with its time is shorter: so many lines have at least the bytes asked for. */
const SHORTEST_LINE_BYTES = 32
/** What is read to keep the newest bytes of lines that are long. */
const READ_PER_KEPT = 50

/** One log instance, its newest `maxBytes`. Why there is none is part of what it gives; throws only the signal's own reason. */
export const readFullLog = async (
  api: Api,
  { namespace, pod, ...of }: LogOf,
  maxBytes: number,
  signal: AbortSignal,
): Promise<FullLog> => {
  const none = (missing: string): FullLog => ({ text: '', omittedBytes: 0, cut: null, missing })
  const limits = {
    tailLines: Math.ceil(maxBytes / SHORTEST_LINE_BYTES),
    maxBytes,
    maxReadBytes: READ_PER_KEPT * maxBytes,
  }
  try {
    const read = await readLogText(api, namespace, pod, of, signal, limits)
    if (typeof read === 'string') return none(read)
    const failure = kubeletErrorOf(read.text)
    if (failure !== null) return none(failure)
    return read.text === '' && read.cut !== null ? none(read.cut) : { ...read, missing: null }
  } catch (error) {
    return none(whyNoLog(error, pod))
  }
}
