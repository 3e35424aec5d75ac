import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Message } from '../../src/answer/block-kit.ts'
import { messageText } from '../answer/message-text.ts'
import { type AlertSlack, startAlertSlack } from '../fakes/alert-slack.ts'
import { type Alertmanager, alertmanagers, startAlertmanager } from '../fakes/alertmanager.ts'
import type { Shown } from '../fakes/slack-server.ts'
import { mend } from './mend.ts'
import type { Service } from './service.ts'
import { type FailingCluster, type FailingOwner, failingCluster } from './storm-cluster.ts'
import { openSurroundings, type Surroundings } from './surroundings.ts'

const TOKEN = 'a-token-of-alertmanager'
const patience = { timeout: 40_000, interval: 100 }
const TEST_MS = 120_000

/** Labels by name, as the templates of kube-prometheus users have them. */
const kubeStyle = {
  title: '[{{ .Status | toUpper }}:{{ .Alerts.Firing | len }}] {{ .CommonLabels.alertname }}',
  text:
    '{{ range .Alerts }}*Alert:* {{ .Annotations.summary }} - `{{ .Labels.severity }}`\n*Details:*\n' +
    '{{ range .Labels.SortedPairs }} • *{{ .Name }}:* `{{ .Value }}`\n{{ end }}\n{{ end }}',
}

/** How often Alertmanager tells: once for all, or again and again. */
const once = { group_wait: '1s', group_interval: '2s', repeat_interval: '1h' }
const again = { ...once, repeat_interval: '2s' }

/** The ways in which alerts reach podwhy here, each with a channel of its own. */
const ways = ['webhook', 'default', 'kube', 'both', 'edited', 'threaded'] as const
type Way = (typeof ways)[number]
const channelOf = (way: Way): string => `C0VIA${way.toUpperCase()}`

const receivers = (podwhy: string, slack: AlertSlack): Record<Way, object> => {
  const webhook = { url: `${podwhy}/alerts/alertmanager`, http_config: { authorization: { credentials: TOKEN } } }
  const post = (way: Way, more = {}) => ({
    ...{ channel: channelOf(way), api_url: slack.webhook(channelOf(way)), send_resolved: true },
    ...more,
  })
  const app = (way: Way, more: object) => ({
    ...{
      channel: channelOf(way),
      app_token: 'xoxb-of-alertmanager',
      send_resolved: true,
      http_config: slack.asSlackCom,
    },
    ...{ ...kubeStyle, ...more },
  })
  return {
    webhook: { webhook_configs: [webhook] },
    default: { slack_configs: [post('default')] },
    kube: { slack_configs: [post('kube', kubeStyle)] },
    both: { webhook_configs: [webhook], slack_configs: [post('both')] },
    edited: { slack_configs: [app('edited', { update_message: true })] },
    threaded: { slack_configs: [app('threaded', { post_updates_to_thread: true })] },
  }
}

const timing: Readonly<Record<Way, object>> = {
  ...{ webhook: again, default: again, kube: once, both: again, edited: once, threaded: once },
}

const shownText = ({ text, blocks }: Shown): string => messageText({ text, blocks: blocks as Message['blocks'] })

describe.concurrent.for(alertmanagers)('a real $name', program => {
  const isHere = program.path !== null
  const uses = ways.filter(way => program.edits || (way !== 'edited' && way !== 'threaded'))
  let cluster: FailingCluster
  let around: Surroundings
  let service: Service
  let slack: AlertSlack
  let alertmanager: Alertmanager

  beforeAll(async () => {
    if (!isHere) return
    cluster = failingCluster({ owners: 14, podsEach: 3 })
    around = await openSurroundings({ recordings: cluster.recordings })
    service = await around.start({ env: { PODWHY_ALERTS_TOKEN: TOKEN } })
    slack = await startAlertSlack(around.slack, service.url)
    const to = receivers(service.url, slack)
    const routes = uses.map(via => ({ receiver: via, matchers: [`via="${via}"`], ...timing[via] }))
    alertmanager = await startAlertmanager(program, {
      route: { receiver: 'webhook', group_by: ['alertname', 'namespace'], ...once, routes },
      receivers: uses.map(name => ({ name, ...to[name] })),
    })
  }, 120_000)
  afterAll(async () => {
    await alertmanager?.close()
    await slack?.close()
    await around?.close()
  })

  const ownerOf = (number: number) => cluster.owners[number] as FailingOwner
  /** Pod number `pod` of owner number `owner`, both from 0. Every fourth owner is in the same namespace. */
  const alert = (via: Way, owner: number, pod: number) => {
    const { namespace, container, pods } = ownerOf(owner)
    const labels = {
      ...{ alertname: 'KubePodCrashLooping', namespace, pod: pods[pod] ?? '', container, severity: 'warning', via },
      ...{ job: 'kube-state-metrics', instance: '10.244.1.12:8080', endpoint: 'http', podwhy_channel: channelOf(via) },
    }
    return { labels, annotations: { summary: 'Pod is crash looping.' } }
  }
  const resolved = (firing: ReturnType<typeof alert>) => ({ ...firing, endsAt: new Date().toISOString() })
  const posts = (way: Way): Shown[] => around.slack.channel(channelOf(way))
  const thread = (way: Way, post: number): Shown[] => posts(way)[post]?.thread ?? []
  /** All replies to posts. */
  const replies = (way: Way): Shown[] => posts(way).flatMap(post => post.thread)
  /** Answers about an owner: their first messages, which begin with a pod's name. */
  const answers = (messages: readonly Shown[], owner: number): Shown[] =>
    messages.filter(({ text }) => new RegExp(`^\\S+ (Recovered: )?${ownerOf(owner).name}-`).test(text))
  /** Pointers to an answer elsewhere. */
  const links = (messages: readonly Shown[]): Shown[] =>
    messages.filter(({ blocks }) => JSON.stringify(blocks).includes('https://podwhy.slack.com/archives/'))
  /** How often podwhy was told of alerts for a channel. */
  const asked = (way: Way): number =>
    service
      .stderr()
      .split('\n')
      .filter(line => line.includes(`"channel":"${channelOf(way)}"`) && line.includes('"question asked"')).length
  /** Mends an owner's pods, has the alerts resolved, and waits until the one answer says so. */
  const recovers = async (owner: number, firing: ReturnType<typeof alert>[], messages: () => readonly Shown[]) => {
    mend(cluster.recordings, ownerOf(owner).pods)
    await alertmanager.send(firing.map(resolved))
    const green = [expect.stringMatching(/^🟢 Recovered: /)]
    await vi.waitFor(() => expect(answers(messages(), owner).map(({ text }) => text)).toEqual(green), patience)
    const [answer] = answers(messages(), owner)
    expect(shownText(answer as Shown)).toContain('Recovered at ')
  }

  it.skipIf(!isHere)(
    'telling the webhook again and again gets one answer, which counts more pods and ends green',
    { timeout: TEST_MS },
    async () => {
      const all = [alert('webhook', 0, 0), alert('webhook', 0, 1), alert('webhook', 0, 2)]
      await alertmanager.send(all.slice(0, 1))
      await vi.waitFor(() => expect(answers(posts('webhook'), 0)).toHaveLength(1), patience)
      const before = asked('webhook')
      await vi.waitFor(() => expect(asked('webhook')).toBeGreaterThan(before + 1), patience)
      expect(posts('webhook')).toHaveLength(1)
      await alertmanager.send(all)
      const text = () => shownText(posts('webhook')[0] as Shown)
      const counted = `The same in 2 more pods of Deployment ${ownerOf(0).name}`
      await vi.waitFor(() => expect(text()).toContain(counted), patience)
      await recovers(0, all, () => posts('webhook'))
      expect(posts('webhook')).toHaveLength(1)
      expect(answers(thread('webhook', 0), 0)).toEqual([])
    },
  )

  it.skipIf(!isHere)(
    'posting its default template gets an answer in the thread, and a link under what it repeats',
    { timeout: TEST_MS },
    async () => {
      await alertmanager.send([alert('default', 1, 0)])
      await vi.waitFor(() => expect(answers(thread('default', 0), 1)).toHaveLength(1), patience)
      await vi.waitFor(() => expect(links(thread('default', 1))).toHaveLength(1), patience)
      await vi.waitFor(() => expect(posts('default').length).toBeGreaterThan(2), patience)
      expect(thread('default', 1)).toHaveLength(1)
      expect(answers(replies('default'), 1)).toHaveLength(1)
    },
  )

  it.skipIf(!isHere)(
    'posting a group that grows gets each owner answered where it is first named, once, until it is resolved',
    { timeout: TEST_MS },
    async () => {
      const all = [alert('kube', 3, 0), alert('kube', 3, 1), alert('kube', 7, 0)]
      await alertmanager.send(all.slice(0, 1))
      await vi.waitFor(() => expect(answers(thread('kube', 0), 3)).toHaveLength(1), patience)
      await alertmanager.send(all)
      await vi.waitFor(() => expect(answers(thread('kube', 1), 7)).toHaveLength(1), patience)
      await vi.waitFor(() => expect(links(thread('kube', 1))).toHaveLength(1), patience)
      expect(posts('kube')).toHaveLength(2)
      await recovers(3, all, () => replies('kube'))
      // What goes on failing has not recovered because Alertmanager says so.
      expect(answers(replies('kube'), 7).map(({ text }) => text)).toEqual([expect.stringMatching(/^🔴 /)])
      expect(posts('kube')).toHaveLength(3)
      expect(thread('kube', 2)).toEqual([])
    },
  )

  it.skipIf(!isHere)('telling both ways gets one answer, in the thread of its post', { timeout: TEST_MS }, async () => {
    await alertmanager.send([alert('both', 2, 0)])
    await vi.waitFor(() => expect(answers(replies('both'), 2)).toHaveLength(1), patience)
    await vi.waitFor(() => expect(posts('both').length).toBeGreaterThan(2), patience)
    const before = asked('both')
    await vi.waitFor(() => expect(asked('both')).toBeGreaterThan(before), patience)
    expect(answers(posts('both'), 2)).toEqual([])
    expect(answers(replies('both'), 2)).toHaveLength(1)
  })

  // Before 0.32 Alertmanager can do neither.
  if (!program.edits) return

  it.skipIf(!isHere)(
    'editing its post gets each owner answered once in that thread, until an edit resolves it',
    { timeout: TEST_MS },
    async () => {
      const all = [alert('edited', 8, 0), alert('edited', 8, 1), alert('edited', 12, 0)]
      await alertmanager.send(all.slice(0, 1))
      await vi.waitFor(() => expect(answers(thread('edited', 0), 8)).toHaveLength(1), patience)
      await alertmanager.send(all)
      await vi.waitFor(() => expect(answers(thread('edited', 0), 12)).toHaveLength(1), patience)
      expect(posts('edited')[0]?.edits).toBeGreaterThan(0)
      await recovers(8, all, () => replies('edited'))
      expect(posts('edited')).toHaveLength(1)
      expect(answers(thread('edited', 0), 12).map(({ text }) => text)).toEqual([expect.stringMatching(/^🔴 /)])
      expect(links(thread('edited', 0))).toEqual([])
    },
  )

  it.skipIf(!isHere)('replying to its own post gets no answer to the reply', { timeout: TEST_MS }, async () => {
    await alertmanager.send([alert('threaded', 9, 0)])
    await vi.waitFor(() => expect(answers(thread('threaded', 0), 9)).toHaveLength(1), patience)
    const own = () => thread('threaded', 0).filter(({ metadata }) => metadata === null)
    await alertmanager.send([alert('threaded', 13, 0)])
    await vi.waitFor(() => expect(own()).toHaveLength(1), patience)
    // The next is sent when the one before has been handed on.
    await alertmanager.send([alert('threaded', 13, 1)])
    await vi.waitFor(() => expect(own()).toHaveLength(2), patience)
    await vi.waitFor(async () => expect(await service.jobs('waiting', 'active')).toBe(0), patience)
    expect(answers(thread('threaded', 0), 9)).toHaveLength(1)
    expect(answers(thread('threaded', 0), 13)).toEqual([])
  })
})
