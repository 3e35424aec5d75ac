import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { parseDocument, stringify } from 'yaml'
import { type AlertSlack, startAlertSlack } from '../fakes/alert-slack.ts'
import { type Alertmanager, alertmanagers, startAlertmanager } from '../fakes/alertmanager.ts'
import type { Shown } from '../fakes/slack-server.ts'
import { type Access, openAccess } from './access.ts'
import { openScenario, type Scenario } from './scenario.ts'
import { type Service, startService } from './service.ts'
import { shownText, threadText } from './thread-text.ts'

const TOKEN = 'a-token-of-alertmanager'
const START_MS = 180_000
const TEST_MS = 300_000
const ANSWER_MS = 60_000
/** Pods start anew, and the first looks come one and two minutes after the alert. */
const RECOVERY_MS = 200_000
/** The newest one there is. */
const program = alertmanagers.findLast(({ path }) => path !== null)

const CONFIG = 'orders-migrate-config'
const MEMORY = 'pdf-renderer-workers'
const channels = { [CONFIG]: 'C0LIVECONFIG', [MEMORY]: 'C0LIVEMEMORY' } as const
type Name = keyof typeof channels

/** What mends each of them. */
const mends: Record<Name, () => string> = {
  [CONFIG]: () =>
    stringify({
      ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'orders-db-config', namespace: 'scenario' } },
      data: { host: 'orders-db', port: '5432' },
    }),
  [MEMORY]: () => {
    const manifest = parseDocument(readFileSync(new URL(`manifests/${MEMORY}/manifest.yaml`, import.meta.url), 'utf8'))
    manifest.setIn(['spec', 'template', 'spec', 'containers', 0, 'args', 0], 'import time\ntime.sleep(3600)\n')
    return String(manifest)
  },
}

let access: Access
let service: Service
let slack: AlertSlack
let alertmanager: Alertmanager
const running = new Map<Name, Scenario>()

describe.skipIf(program === undefined)(`alerts of a real ${program?.name ?? 'Alertmanager (not installed)'}`, () => {
  beforeAll(async () => {
    access = await openAccess('podwhy')
    const opening = [CONFIG, MEMORY].map(async name => void running.set(name as Name, await openScenario(name)))
    const env = { PODWHY_ALERTS_TOKEN: TOKEN, PODWHY_RECOVERED_AFTER: '10s' }
    ;[service] = await Promise.all([startService(access.kubeconfig, env), ...opening])
    const podwhy = `http://127.0.0.1:${service.bot.port}`
    slack = await startAlertSlack(service.slack, podwhy)
    const webhook = { url: `${podwhy}/alerts/alertmanager`, http_config: { authorization: { credentials: TOKEN } } }
    const receivers = Object.entries(channels).map(([name, channel]) => ({
      name,
      webhook_configs: name === MEMORY ? [webhook] : [],
      slack_configs: [{ channel, api_url: slack.webhook(channel), send_resolved: true }],
    }))
    const timing = { group_wait: '1s', group_interval: '2s', repeat_interval: '1h' }
    const routes = receivers.map(({ name }) => ({ receiver: name, matchers: [`scenario="${name}"`] }))
    alertmanager = await startAlertmanager(program as NonNullable<typeof program>, {
      route: { receiver: CONFIG, group_by: ['alertname', 'namespace'], ...timing, routes },
      receivers,
    })
  }, START_MS)

  afterAll(async () => {
    await alertmanager?.close()
    await slack?.close()
    await Promise.allSettled([...running.values()].map(scenario => scenario.remove()))
    await service?.stop()
    await access?.remove()
  }, START_MS)

  const scenarioOf = (name: Name): Scenario => {
    const scenario = running.get(name)
    if (!scenario) throw new Error(`${name} was not started`)
    return scenario
  }

  /** Labels as Prometheus puts them on alerts of kube-state-metrics' numbers. */
  const labelsOf = (name: Name, alertname: string, more: Record<string, string>) => ({
    ...{ alertname, namespace: scenarioOf(name).namespace, severity: 'warning', ...more },
    ...{ job: 'kube-state-metrics', service: 'kube-state-metrics', instance: '10.244.0.12:8080', endpoint: 'http' },
    ...{ prometheus: 'monitoring/k8s', scenario: name, podwhy_channel: channels[name] },
  })
  const posts = (name: Name): Shown[] => service.slack.channel(channels[name])
  const replies = (name: Name): Shown[] => posts(name).flatMap(({ thread }) => thread)
  const answers = (name: Name): Shown[] =>
    replies(name).filter(({ text }) =>
      new RegExp(`^\\S+ (?:Recovered: )?${scenarioOf(name).expected.workload}-`).test(text),
    )
  const recovers = async (name: Name): Promise<void> => {
    await vi.waitFor(() => expect(answers(name)[0]?.text).toMatch(/^🟢 Recovered: /), {
      timeout: RECOVERY_MS,
      interval: 500,
    })
    const [answer] = answers(name)
    process.stdout.write(`  ${name}: ${/Recovered at .*/.exec(shownText(answer as Shown))?.[0]}\n`)
    expect(answers(name)).toHaveLength(1)
    await vi.waitFor(() => expect(answers(name)[0]?.reactions).toEqual(['white_check_mark']))
  }

  test.concurrent('a crash loop is answered under its post, its second alert gets a link, and recovery is found without being told', {
    timeout: TEST_MS,
  }, async () => {
    const { expected, reach, apply } = scenarioOf(MEMORY)
    const { pod } = await reach(expected.moments[0] as (typeof expected.moments)[number])
    const container = { pod, container: expected.container, reason: 'CrashLoopBackOff' }
    await alertmanager.send([{ labels: labelsOf(MEMORY, 'KubePodCrashLooping', container) }])
    await vi.waitFor(() => expect(answers(MEMORY)).toHaveLength(1), { timeout: ANSWER_MS })
    const [post] = posts(MEMORY)
    await vi.waitFor(() => expect(posts(MEMORY)[0]?.thread.length).toBeGreaterThan(1), { timeout: ANSWER_MS })
    const told = threadText({ ...(post as Shown), thread: posts(MEMORY)[0]?.thread ?? [] })
    for (const wanted of expected.mustMention)
      expect(told.toLowerCase()).toContain(wanted.split(' / ')[0]?.toLowerCase())

    const deployment = { deployment: expected.workload }
    await alertmanager.send([{ labels: labelsOf(MEMORY, 'KubeDeploymentReplicasMismatch', deployment) }])
    await vi.waitFor(() => expect(posts(MEMORY)[1]?.thread).toHaveLength(1), { timeout: ANSWER_MS })
    expect(JSON.stringify(posts(MEMORY)[1]?.thread[0]?.blocks)).toContain('/archives/')
    expect(answers(MEMORY)).toHaveLength(1)

    await apply(mends[MEMORY]())
    await recovers(MEMORY)
  })

  test.concurrent('a missing ConfigMap is answered under its post, and its recovery is told when Alertmanager resolves', {
    timeout: TEST_MS,
  }, async () => {
    const { expected, reach, apply, pods } = scenarioOf(CONFIG)
    const { pod } = await reach(expected.moments[0] as (typeof expected.moments)[number])
    const labels = labelsOf(CONFIG, 'KubeContainerWaiting', { pod, container: expected.container })
    await alertmanager.send([{ labels }])
    await vi.waitFor(() => expect(answers(CONFIG)).toHaveLength(1), { timeout: ANSWER_MS })
    expect(shownText(answers(CONFIG)[0] as Shown)).toContain('orders-db-config')

    await apply(mends[CONFIG]())
    await pods.until(row => row.pod === pod && row.status === 'Running' && row.ready === '1/1', RECOVERY_MS)
    await alertmanager.send([{ labels, endsAt: new Date().toISOString() }])
    await recovers(CONFIG)
    expect(posts(CONFIG)).toHaveLength(2)
    expect(posts(CONFIG)[1]?.thread).toEqual([])
  })
})
