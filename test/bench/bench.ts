import { diagnose } from '../../src/diagnosis/diagnose.ts'
import type { PodSnapshot } from '../../src/diagnosis/snapshot.ts'
import { readMaterial } from '../accuracy/material.ts'

/**
 * `npm run bench`: diagnoses per second of processor time on the recorded snapshots, and on one with a log of 10 MB; beside it
 * JSON.parse of the same snapshots in the same run, so that figures of different machines compare.
 */
const recorded = readMaterial('test/recordings').map(({ snapshot }) => snapshot)

const MINIMUM_MS = 2_000

/** Times per second of processor time that `work` is done; it is repeated until two seconds are spent. */
const perSecond = (times: number, work: () => void): number => {
  work()
  const before = process.cpuUsage()
  let rounds = 0
  let spentMs = 0
  while (spentMs < MINIMUM_MS) {
    work()
    rounds++
    const { user, system } = process.cpuUsage(before)
    spentMs = (user + system) / 1000
  }
  return (rounds * times * 1000) / spentMs
}

const report = (what: string, snapshots: readonly PodSnapshot[]): void => {
  const bodies = snapshots.map(snapshot => JSON.stringify(snapshot))
  const diagnosed = perSecond(snapshots.length, () => {
    for (const snapshot of snapshots) diagnose(snapshot)
  })
  const parsed = perSecond(bodies.length, () => {
    for (const body of bodies) JSON.parse(body)
  })
  const figures = [
    `${Math.round(diagnosed)}/s`,
    `JSON.parse ${Math.round(parsed)}/s`,
    `ratio ${(diagnosed / parsed).toFixed(2)}`,
  ]
  console.log(`${what.padEnd(32)}${figures.map(figure => figure.padStart(22)).join('')}`)
}

/** The log of an application that writes 10 MB and then fails. */
const longLog = (): PodSnapshot => {
  const crashed = recorded.find(
    ({ logs, pod }) => pod !== null && Object.values(logs).some(log => log.current?.includes('Traceback')),
  )
  if (!crashed) throw new Error('no recording with a Python trace is left')
  const [name = '', log] = Object.entries(crashed.logs).find(([, { current }]) => current?.includes('Traceback')) ?? []
  const line = `${crashed.takenAt?.slice(0, 19)}.000000000Z INFO request 4711 of tenant "acme" served in 12 ms with status 200\n`
  const current = line.repeat(Math.ceil(10_000_000 / line.length)) + (log?.current ?? '')
  return { ...crashed, logs: { ...crashed.logs, [name]: { current, previous: null } } }
}

report(`${recorded.length} recordings`, recorded)
report('one log of 10 MB', [longLog()])
