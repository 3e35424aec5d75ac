import { diagnose } from '../../../src/diagnosis/diagnose.ts'
import type { Diagnosis } from '../../../src/diagnosis/diagnosis.ts'
import type { JsonObject, PodSnapshot } from '../../../src/diagnosis/snapshot.ts'
import { aContainer, aPod, aSnapshot, crashLoop, current } from '../builders.ts'

export interface Crash {
  readonly log: string
  readonly exitCode?: number
  /** The terminated state's other fields. */
  readonly ended?: JsonObject
  /** Of the container. */
  readonly spec?: JsonObject
  /** Of the pod. */
  readonly pod?: JsonObject
  readonly snapshot?: Partial<PodSnapshot>
}

/** The diagnosis of a pod whose only container, `api`, crash-loops and left this log. */
export const crashed = ({ log, exitCode = 1, ended = {}, spec = {}, pod = {}, snapshot = {} }: Crash): Diagnosis => {
  const container = aContainer({ name: 'api', spec, ready: false, started: false, ...crashLoop(exitCode, ended) })
  return diagnose(
    aSnapshot({
      pod: aPod({ containers: [container], spec: pod }),
      logs: { api: current(log) },
      related: { services: [], endpointSlices: [] },
      ...snapshot,
    }),
  ).diagnosis
}

/** A log of one template, its common indentation removed. */
export const log = (text: string): string => {
  const lines = text
    .replace(/^\n/, '')
    .replace(/\n\s*$/, '')
    .split('\n')
  const indent = Math.min(
    ...lines.filter(line => line.trim() !== '').map(line => line.length - line.trimStart().length),
  )
  return `${lines.map(line => line.slice(indent)).join('\n')}\n`
}
