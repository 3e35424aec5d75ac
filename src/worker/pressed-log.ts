import { Buffer } from 'node:buffer'
import type { Message } from '../answer/block-kit.ts'
import { earlierAnswer, runNotKept } from '../answer/earlier-answer.ts'
import { logFileComment, noLog } from '../answer/log-file.ts'
import { type Container, containersOf } from '../diagnosis/containers.ts'
import { pod as podShape } from '../diagnosis/kubernetes-pod.ts'
import { logLines } from '../diagnosis/log-lines.ts'
import type { PodSnapshot } from '../diagnosis/snapshot.ts'
import type { AnswerAbout } from './answer-records.ts'
import type { AnyCluster } from './clusters.ts'
import { type ContainerRun, containerRun, explainedRun } from './container-run.ts'
import { redactLog } from './redact-log.ts'

/** Which log is meant, and where it is read. `snapshot`: with its secrets, which are to be removed from the log too. */
export interface LogSource {
  readonly about: AnswerAbout
  readonly snapshot: PodSnapshot
  readonly cluster: AnyCluster
  readonly signal: AbortSignal
}

/** A file to be shared; or what to say instead. */
export type LogAnswer =
  | {
      readonly file: { readonly name: string; readonly title: string; readonly text: string; readonly comment: string }
    }
  | { readonly message: Message }

const FULL_BYTES = 10 * 1024 * 1024
const EXCERPT_BYTES = 512 * 1024

const containerOf = ({ snapshot, about }: LogSource): Container | undefined => {
  const pod = podShape(snapshot.pod)
  return pod ? containersOf(pod).find(({ name }) => name === about.container) : undefined
}

const read = async (source: LogSource, container: string, run: ContainerRun, maxBytes: number) => {
  const { snapshot, cluster, signal, about } = source
  const { instance, ended } = run
  const of = { namespace: snapshot.namespace, pod: about.target.name, container, instance, ended }
  const log = await cluster.log(of, { maxBytes, signal })
  // A reason may quote the server.
  const { text: missing } = await redactLog(log.missing ?? '', snapshot)
  return { ...log, missing: log.missing === null ? null : missing, ...(await redactLog(log.text, snapshot)) }
}

const lineCount = (text: string): number => text.split('\n').length - (text.endsWith('\n') ? 1 : 0)

/** The whole log of the run that the answer explains; where that is not kept any more, of the one that explains now. */
export const fullLog = async (source: LogSource, id: string): Promise<LogAnswer> => {
  const { about, snapshot, cluster } = source
  const container = containerOf(source)
  if (!container) return { message: runNotKept(about.container ?? '', 0) }
  const meant = about.restart === null ? null : containerRun(container, about.restart)
  const restart = meant === null ? explainedRun(container) : meant.restart
  const run = meant ?? containerRun(container, restart)
  if (run === null) return { message: runNotKept(container.name, restart) }
  const log = await read(source, container.name, run, FULL_BYTES)
  if (log.missing !== null || log.text === '') return { message: noLog(container.name, restart, log.missing) }
  const pod = about.target.name
  const { text, omittedBytes, cut, redacted } = log
  const comment = logFileComment({
    ...{ container: container.name, pod: `${snapshot.namespace}/${pod}`, cluster: cluster.name, restart },
    ...{
      isExplained: meant !== null || about.restart === null,
      lines: lineCount(text),
      bytes: Buffer.byteLength(text),
    },
    ...{ omittedBytes, cut, redacted },
  })
  const name = `${pod.slice(-100)}-${container.name}-${restart}-${id.slice(0, 8)}.log`
  return { file: { name, title: `Log of ${container.name} of ${pod}`, text, comment } }
}

/** The run before the one that the answer explains. */
export const earlierLog = async (source: LogSource): Promise<Message> => {
  const container = containerOf(source)
  if (!container) return runNotKept(source.about.container ?? '', 0)
  const restart = (source.about.restart ?? explainedRun(container)) - 1
  const run = containerRun(container, restart)
  if (run === null) return runNotKept(container.name, restart)
  const { text, missing, redacted } = await read(source, container.name, run, EXCERPT_BYTES)
  const { exitCode = 0, reason = '', startedAt = null, finishedAt = null } = run.terminated ?? {}
  return earlierAnswer({
    ...{ container: container.name, restart, redacted, missing },
    exit: run.terminated && { code: exitCode, reason, startedAt, finishedAt },
    lines: logLines(text).map(line => line.text),
  })
}
