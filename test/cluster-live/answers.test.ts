import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openCluster } from '../../src/cluster/cluster.ts'
import { type Access, openAccess } from './access.ts'
import { commandsOf, isReadOnly, troubleWith } from './commands.ts'
import { startCountingProxy } from './counting-proxy.ts'
import { explainJson } from './explain.ts'
import { expectedOf, openScenario, type Scenario, scenarios } from './scenario.ts'
import { type Answered, type Service, startService } from './service.ts'
import { mentions, shownText, threadText } from './thread-text.ts'

const START_MS = 180_000
const TEST_MS = 300_000
const ROUNDS = 3

let access: Access
let service: Service
const running = new Map<string, Scenario>()
/** The pod that was last asked about, by scenario. */
const lastPods = new Map<string, string>()

const scenarioOf = (name: string): Scenario => {
  const scenario = running.get(name)
  if (!scenario) throw new Error(`${name} was not started`)
  return scenario
}

/** With `THREADS` set to a directory, every thread is kept there as it arrived, and as a reader sees it. */
const keep = (name: string, { root }: Answered): void => {
  const directory = process.env['THREADS']
  if (!directory) return
  mkdirSync(directory, { recursive: true })
  writeFileSync(join(directory, `${name}.json`), `${JSON.stringify(root, null, 1)}\n`)
  writeFileSync(join(directory, `${name}.txt`), `${threadText(root)}\n`)
}

beforeAll(async () => {
  access = await openAccess('podwhy')
  const opening = scenarios.map(async name => void running.set(name, await openScenario(name)))
  const serving = startService(access.kubeconfig).then(started => {
    service = started
  })
  await Promise.all([...opening, serving])
}, START_MS)

afterAll(async () => {
  await Promise.allSettled([...running.values()].map(scenario => scenario.remove()))
  await service?.stop()
  await access?.remove()
}, START_MS)

const moments = scenarios.flatMap(name => expectedOf(name).moments.map(moment => ({ name, moment })))

describe('the answer about a pod on a real cluster', () => {
  test.each(moments)(
    '$name, $moment.name: the right thread arrives in Slack',
    async ({ name, moment }) => {
      const { expected, namespace, pods, reach } = scenarioOf(name)
      const { pod } = await reach(moment)
      lastPods.set(name, pod)
      const target = `${namespace}/${pod}`
      const from = pods.rows.findLastIndex(row => row.pod === pod)
      const answered = await service.ask(target)
      const printed = () => pods.rows.slice(from).filter(row => row.pod === pod)
      const json = await explainJson(target, access.kubeconfig)
      keep(`${name}-${moment.name.replaceAll(' ', '-')}`, answered)

      const { root, line } = answered
      const head = shownText(root)
      const thread = threadText(root)
      const inTest = (text: string) => text.replaceAll('scenario', namespace)
      // kubectl may print what podwhy has read a moment later.
      await vi.waitFor(() => expect(printed().map(({ status }) => status)).toContain(line['status']), { timeout: 2000 })
      const row = printed().find(({ status }) => status === line['status'])
      expect(head).toContain(`\`${row?.status}\`, ${row?.ready} ready`)
      expect(head).toContain(pod)
      expect(head).toContain(namespace)
      expect(head).toContain(expected.container)
      expect(expected.causes).toContain(line['cause'])
      expect(json.cause.id).toBe(line['cause'])
      expect(json.container).toMatchObject({ name: expected.container, kind: expected.containerKind })
      expect(json.exit?.code ?? null).toBe(expected.exitCode)
      expect(json.unread).toEqual([])
      expect(
        expected.mustMention.filter(wanted => !mentions(thread, inTest(wanted))),
        thread,
      ).toEqual([])
      expect(
        expected.mustNotClaim.filter(claim => mentions(thread, inTest(claim))),
        thread,
      ).toEqual([])

      const readOnly = commandsOf(root).filter(isReadOnly)
      expect(readOnly.length).toBeGreaterThan(0)
      expect((await Promise.all(readOnly.map(troubleWith))).flat()).toEqual([])
    },
    TEST_MS,
  )

  test('a workload is answered with its pod', async () => {
    const { namespace, expected } = scenarioOf('orders-migrate-config')
    const { root } = await service.ask(`deploy/${expected.workload} -n ${namespace}`)
    expect(shownText(root)).toContain(lastPods.get('orders-migrate-config'))
  })

  test(
    'commands are acknowledged within 3 s, answers stand within 5 s',
    async () => {
      const answers: Answered[] = []
      for (let round = 0; round < ROUNDS; round += 1) {
        for (const [name, pod] of lastPods) answers.push(await service.ask(`${scenarioOf(name).namespace}/${pod}`))
      }
      const sorted = (of: (answered: Answered) => number) => answers.map(of).toSorted((a, b) => a - b)
      const at = (times: number[], share: number) => Math.round(times[Math.ceil(times.length * share) - 1] ?? 0)
      const figures = (times: number[]) =>
        `median ${at(times, 0.5)} ms, p95 ${at(times, 0.95)} ms, most ${at(times, 1)} ms`
      const acknowledged = sorted(answer => answer.acknowledgedMs)
      const complete = sorted(answer => answer.completeMs)
      process.stdout.write(
        `${answers.length} questions, from the command on:\n` +
          `  acknowledged     ${figures(acknowledged)}\n` +
          `  answer posted    ${figures(sorted(answer => answer.answeredMs))}\n` +
          `  thread complete  ${figures(complete)}\n`,
      )
      expect(answers.length).toBeGreaterThanOrEqual(20)
      expect(at(acknowledged, 1)).toBeLessThan(3000)
      expect(at(complete, 0.95)).toBeLessThan(5000)
    },
    TEST_MS,
  )

  test(
    'a question costs few calls of the API server, reads all of them',
    async () => {
      const proxy = await startCountingProxy(access)
      const cluster = await openCluster({ kubeconfig: proxy.kubeconfig })
      try {
        for (const [scenario, name] of lastPods) {
          proxy.calls.length = 0
          await cluster.read({ namespace: scenarioOf(scenario).namespace, kind: null, name })
          process.stdout.write(`  ${scenario}: ${proxy.calls.length} calls of the API server\n`)
          expect(proxy.calls.filter(call => !call.startsWith('GET '))).toEqual([])
          expect(proxy.calls.filter(call => call.includes('secrets'))).toEqual([])
          expect(proxy.calls.length).toBeLessThanOrEqual(16)
        }
      } finally {
        await cluster.close()
        await proxy.close()
      }
    },
    TEST_MS,
  )
})
