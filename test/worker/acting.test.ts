import { describe, expect, it } from 'vitest'
import type { JsonObject, PodSnapshot } from '../../src/diagnosis/snapshot.ts'
import type { Target } from '../../src/queue/job.ts'
import { shop, testPod } from '../cluster/open-test-cluster.ts'
import { crashing } from '../end-to-end/crashing.ts'
import { Crash } from '../slack/memory-store.ts'
import { actingWorld } from './acting-world.ts'

const pod: Target = {
  ...{ cluster: null, namespace: 'team-234-we', kind: 'Pod', name: 'web-frontend-5f8997cc56-mv5hn' },
}
const textOf = (shown: unknown): string => JSON.stringify(shown)
const statusOf = (snapshot: PodSnapshot) =>
  (snapshot.pod as unknown as { status: { containerStatuses: Record<string, unknown>[] } }).status.containerStatuses[0]
const change = (snapshot: PodSnapshot, fields: object) => Object.assign(statusOf(snapshot) ?? {}, fields)
const withLog = (snapshot: PodSnapshot, current: string, previous: string | null = null) =>
  Object.assign(snapshot, { logs: { nginx: { current, previous } } })
const uidOf = (snapshot: PodSnapshot, uid: string) =>
  Object.assign((snapshot.pod?.['metadata'] ?? {}) as object, { uid })
const contentOf = (slack: { files: readonly { content: Buffer | null }[] }) => slack.files.at(-1)?.content?.toString()

describe('Refresh', () => {
  it('edits the answer in place and says when and for whom', async () => {
    const recording = crashing()
    const world = await actingWorld([recording])
    const answer = await world.answered(pod)
    const parts = world.slack.channel('C1')[0]?.thread.length
    change(recording, { restartCount: 40 })
    await world.act(await world.press(answer, 'refresh'))
    const [root, ...others] = world.slack.channel('C1')
    expect(others).toEqual([])
    expect(root?.thread).toHaveLength(parts ?? 0)
    expect(textOf(root?.blocks)).toContain('40 restarts')
    expect(textOf(root?.blocks)).toMatch(/Refreshed at .*12:03:10 UTC.*"user_id":"U7"/)
    expect(root?.blocks.at(-1)).toMatchObject({ type: 'actions' })
  })

  it('twice leaves one line about it', async () => {
    const world = await actingWorld([crashing()])
    const answer = await world.answered(pod)
    await world.act(await world.press(answer, 'refresh'))
    await world.act(await world.press(answer, 'refresh', { userId: 'U8' }))
    const text = textOf(world.slack.channel('C1')[0]?.blocks)
    expect(text.match(/Refreshed at/g)).toHaveLength(1)
    expect(text).toContain('U8')
  })

  it('of a healthy pod says in the parts that are left over that they do not count any more', async () => {
    const recording = crashing()
    const world = await actingWorld([recording])
    const answer = await world.answered(pod)
    Object.assign(recording.pod ?? {}, { status: { phase: 'Succeeded' } })
    await world.act(await world.press(answer, 'refresh'))
    const [root] = world.slack.channel('C1')
    expect(textOf(root?.blocks)).not.toContain('CrashLoopBackOff')
    expect(textOf(root?.thread)).not.toContain('"kubectl')
  })

  it('of a pod that is gone with all of its owner tells the presser, and leaves the answer', async () => {
    const recordings = [crashing()]
    const world = await actingWorld(recordings)
    const answer = await world.answered(pod)
    const before = textOf(world.slack.channel('C1'))
    recordings.splice(0, 1, { ...crashing(), pod: null, related: {} })
    await world.act(await world.press(answer, 'refresh'))
    expect(world.slack.whispers).toMatchObject([{ user: 'U7', text: expect.stringContaining('which is gone') }])
    expect(textOf(world.slack.channel('C1'))).toBe(before)
  })

  it('where podwhy may not read the pod any more says so, and does not call it gone', async () => {
    const world = await actingWorld([crashing()])
    const answer = await world.answered(pod)
    world.kube.fault(/^GET \/api/, { status: 403, message: 'pods is forbidden' })
    await world.act(await world.press(answer, 'refresh'))
    expect(world.slack.whispers).toMatchObject([{ user: 'U7', text: expect.stringContaining('may not get pods') }])
    expect(textOf(world.slack.whispers)).not.toContain('gone')
  })
})

describe('Full log', () => {
  it('is uploaded into the thread, without secrets, and says what it is', async () => {
    const recording = withLog(crashing(), '2026-05-04T12:00:00Z password=hunter2hunter2\n2026-05-04T12:00:01Z end\n')
    const world = await actingWorld([recording])
    const answer = await world.answered(pod)
    await world.act(await world.press(answer, 'log'))
    const [reply] = world.replies(answer)
    expect(reply?.files).toMatchObject([{ name: expect.stringMatching(/-nginx-\d+-[0-9a-f]{8}\.log$/) }])
    expect(reply?.text).toMatch(
      /^Log of container nginx of pod team-234-we\/web-frontend-\S+ \(prod\), the run after restart \d+: 2 lines, \d+ bytes\. 1 secret removed\.$/,
    )
    expect(contentOf(world.slack)).toBe('2026-05-04T12:00:00Z password=[redacted]\n2026-05-04T12:00:01Z end\n')
  })

  it('is made one at a time, so that many long ones do not take all memory; the others come again', async () => {
    const world = await actingWorld([withLog(crashing(), '2026-05-04T12:00:00Z one line\n')])
    const answer = await world.answered(pod)
    const presses = [await world.press(answer, 'log'), await world.press(answer, 'log')]
    const ends = await Promise.allSettled(presses.map(each => world.act(each)))
    expect(ends.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const later = ends.findIndex(({ status }) => status === 'rejected')
    expect(ends[later]).toMatchObject({ reason: { name: 'RetryLater', delayMs: expect.any(Number) } })
    expect(world.replies(answer)).toHaveLength(1)
    await world.act(presses[later] as (typeof presses)[number])
    expect(world.replies(answer).flatMap(({ files }) => files)).toHaveLength(2)
  })

  it('has no value that the pod itself calls a password', async () => {
    const recording = withLog(crashing(), '2026-05-04T12:00:00Z connecting with q7Xk29vTzR4mWp8L\n')
    const spec = recording.pod?.['spec'] as unknown as { containers: Record<string, unknown>[] }
    Object.assign(spec.containers[0] ?? {}, { env: [{ name: 'DB_PASSWORD', value: 'q7Xk29vTzR4mWp8L' }] })
    const world = await actingWorld([recording])
    await world.act(await world.press(await world.answered(pod), 'log'))
    expect(contentOf(world.slack)).toBe('2026-05-04T12:00:00Z connecting with [redacted]\n')
  })

  it('is that of the run that the answer explains, also when the next one runs', async () => {
    const recording = withLog(crashing(), '2026-05-04T12:00:00Z explained\n')
    const world = await actingWorld([recording])
    const answer = await world.answered(pod)
    const { restartCount, lastState } = statusOf(recording) as { restartCount: number; lastState: object }
    const running = { running: { startedAt: '2026-05-04T12:00:30Z' } }
    change(recording, { restartCount: restartCount + 1, state: running, lastState })
    withLog(recording, '2026-05-04T12:00:31Z the next\n', '2026-05-04T12:00:00Z explained\n')
    await world.act(await world.press(answer, 'log'))
    expect(contentOf(world.slack)).toContain('explained')
  })

  it('says so where that run is not kept any more', async () => {
    const recording = crashing()
    const world = await actingWorld([recording])
    const answer = await world.answered(pod)
    change(recording, { restartCount: 77 })
    withLog(recording, '2026-05-04T12:10:00Z newest\n')
    await world.act(await world.press(answer, 'log'))
    expect(world.replies(answer)[0]?.text).toContain('the run after restart 77')
    expect(world.replies(answer)[0]?.text).toContain('not the run that the answer explains')
  })

  it('that cannot be had is said, with the reason of the kubelet', async () => {
    const recording = crashing()
    const world = await actingWorld([recording])
    const answer = await world.answered(pod)
    world.kube.fault(/\/log\?/, { status: 400, message: 'container "nginx" is waiting to start: trying and failing' })
    await world.act(await world.press(answer, 'log'))
    expect(textOf(world.replies(answer))).toContain('is waiting to start: trying and failing')
    expect(world.slack.files).toEqual([])
  })

  it('where the app may not upload files tells the presser what to do', async () => {
    const world = await actingWorld([withLog(crashing(), '2026-05-04T12:00:00Z x\n')])
    const answer = await world.answered(pod)
    world.slack.fail('files.getUploadURLExternal', { kind: 'error', error: 'missing_scope' })
    await world.act(await world.press(answer, 'log'))
    expect(world.slack.whispers).toMatchObject([{ text: expect.stringContaining('files:write') }])
  })

  it('of an answer that was deleted meanwhile is shared nowhere', async () => {
    const world = await actingWorld([withLog(crashing(), '2026-05-04T12:00:00Z x\n')])
    const answer = await world.answered(pod)
    const question = await world.press(answer, 'log')
    world.slack.delete('C1', answer.ts)
    await world.act(question)
    expect(world.slack.files.filter(({ isShared }) => isShared)).toEqual([])
  })

  it('is shared once wherever the process ends in between', async () => {
    const world = await actingWorld([withLog(crashing(), '2026-05-04T12:00:00Z x\n')])
    const answer = await world.answered(pod)
    for (const at of [0, 1]) {
      for (const when of ['before', 'after'] as const) {
        const question = await world.press(answer, 'log')
        Object.assign(world.store, { writes: 0, crash: { at, when } })
        await expect(world.act(question)).rejects.toThrow(Crash)
        world.store.crash = null
        await world.act(question)
        const shown = world.replies(answer).filter(({ files }) => files[0]?.name.includes(question.id.slice(0, 8)))
        expect(shown.length, `${when} write ${at}`).toBeGreaterThan(0)
      }
    }
    expect(world.replies(answer)).toHaveLength(4)
  })
})

describe('Earlier instance', () => {
  it('shows how the run before ended and the last it wrote', async () => {
    const recording = crashing()
    withLog(recording, '2026-05-04T12:00:00Z explained\n', '2026-05-04T11:59:00Z before\n')
    const end = { exitCode: 3, reason: 'Error', startedAt: '2026-05-04T11:59:00Z', finishedAt: '2026-05-04T11:59:05Z' }
    const now = { exitCode: 1, reason: 'Error', startedAt: '2026-05-04T12:00:00Z', finishedAt: '2026-05-04T12:00:05Z' }
    change(recording, { restartCount: 4, state: { terminated: now }, lastState: { terminated: end } })
    const world = await actingWorld([recording])
    const answer = await world.answered(pod)
    await world.act(await world.press(answer, 'earlier'))
    const text = textOf(world.replies(answer))
    expect(text).toContain('The run after restart 3 of ')
    expect(text).toMatch(/It exited with 3 \(Error\).* after 5s/)
    expect(text).toContain('before')
    expect(text).not.toContain('explained')
  })

  it('says so where its log is pruned or never was', async () => {
    const recording = crashing()
    const world = await actingWorld([recording])
    const answer = await world.answered(pod)
    change(recording, { restartCount: 77 })
    await world.act(await world.press(answer, 'earlier'))
    expect(textOf(world.replies(answer))).toContain('is not kept any more')
  })
})

describe('Events', () => {
  it('are told oldest first, those of the owners too', async () => {
    const recording = crashing()
    const event = (kind: string, name: string, reason: string, at: string): JsonObject => ({
      metadata: { name: `${name}.${reason}`, namespace: pod.namespace },
      involvedObject: { kind, name, namespace: pod.namespace },
      ...{ reason, type: 'Warning', count: 2, message: `token=abcdefghijklmnop ${reason}`, lastTimestamp: at },
    })
    const events = [
      event('Pod', pod.name, 'Second', '2026-05-04T12:00:00Z'),
      event('ReplicaSet', 'web-frontend-5f8997cc56', 'First', '2026-05-04T11:00:00Z'),
    ]
    Object.assign(recording, { events, related: { ...recording.related, events: [] } })
    const world = await actingWorld([recording])
    const answer = await world.answered(pod)
    await world.act(await world.press(answer, 'events'))
    const text = textOf(world.replies(answer))
    expect(text).toMatch(/11:00:00 {2}Warning {2}First ×2 .*12:00:00 {2}Warning {2}Second ×2/)
    expect(text).not.toContain('abcdefghijklmnop')
  })

  it('posted by a run that was cut off are not posted again', async () => {
    const world = await actingWorld([crashing()])
    const answer = await world.answered(pod)
    const question = await world.press(answer, 'events')
    world.slack.fail('chat.postMessage', { kind: 'cutAfter' })
    await expect(world.act(question)).rejects.toThrow()
    await world.act(question)
    expect(world.replies(answer)).toHaveLength(1)
  })
})

describe('Describe', () => {
  it('is a message that shows no value of a variable', async () => {
    const world = await actingWorld([crashing()])
    const answer = await world.answered(pod)
    await world.act(await world.press(answer, 'describe'))
    const text = textOf(world.replies(answer))
    expect(text).toContain('Pod team-234-we/web-frontend-5f8997cc56-mv5hn')
    expect(text).toMatch(/Cluster +prod/)
    expect(text).toContain('Container: nginx')
  })

  it('that is long is a file', async () => {
    const recording = crashing()
    const spec = recording.pod?.['spec'] as unknown as { containers: Record<string, unknown>[] }
    const more = Array.from({ length: 60 }, (_, at) => ({ name: `side-${at}`, image: `registry.example/side:${at}` }))
    spec.containers.push(...more)
    const world = await actingWorld([recording])
    const answer = await world.answered(pod)
    await world.act(await world.press(answer, 'describe'))
    expect(world.replies(answer)).toMatchObject([{ files: [{ name: expect.stringMatching(/\.txt$/) }] }])
    expect(contentOf(world.slack)).toContain('side-59')
  })
})

describe('of an owner without pods', () => {
  const owner: Target = { cluster: null, namespace: 'shop', kind: null, name: 'web' }
  const events = ['Deployment', 'ReplicaSet'].map((kind, at) => ({
    metadata: { name: `e${at}`, namespace: 'shop' },
    involvedObject: { kind, name: kind === 'Deployment' ? 'web' : 'web-5d4f', namespace: 'shop' },
    ...{ reason: `Failed${kind}`, type: 'Warning', message: 'denied', lastTimestamp: `2026-05-04T12:00:0${at}Z` },
  }))
  const controller = { kind: 'Deployment', name: 'web', uid: 'uid-of-web', controller: true }
  const spec = { replicas: 2, selector: { matchLabels: { app: 'web' } } }
  const noPods = () =>
    shop({
      deployments: [
        testPod('web', {
          metadata: { uid: 'uid-of-web' },
          spec: {
            ...spec,
            template: {
              spec: {
                containers: [{ name: 'app', image: 'web:1.2' }],
              },
            },
          },
        }),
      ],
      replicaSets: [testPod('web-5d4f', { metadata: { labels: { app: 'web' }, ownerReferences: [controller] }, spec })],
      events,
    })

  it('Events are those of the owner', async () => {
    const world = await actingWorld([noPods()])
    const answer = await world.answered(owner)
    await world.act(await world.press(answer, 'events'))
    expect(textOf(world.replies(answer))).toMatch(/Events of .*Deployment web.*FailedDeployment.*FailedReplicaSet/)
  })

  it('Describe tells of the owner and what its pods would be', async () => {
    const world = await actingWorld([noPods()])
    const answer = await world.answered(owner)
    await world.act(await world.press(answer, 'describe'))
    const text = textOf(world.replies(answer))
    expect(text).toContain('Deployment shop/web, which has no pod')
    expect(text).toContain('web:1.2')
  })
})

describe('buttons that are out of date', () => {
  it('name the successor of a pod that was replaced', async () => {
    const recording = crashing()
    const recordings = [recording]
    const world = await actingWorld(recordings)
    const answer = await world.answered(pod)
    const successor = crashing()
    uidOf(successor, 'uid-of-the-next')
    Object.assign((successor.pod?.['metadata'] ?? {}) as object, { name: 'web-frontend-5f8997cc56-abcde' })
    recordings.splice(0, 1, { ...successor, related: { ...successor.related, pods: [] } })
    for (const want of ['log', 'events', 'describe', 'earlier'] as const)
      await world.act(await world.press(answer, want))
    expect(world.slack.whispers).toHaveLength(4)
    for (const { text, user } of world.slack.whispers) {
      expect(user).toBe('U7')
      expect(text).toContain(
        'web-frontend-5f8997cc56-mv5hn, which is gone; its successor is web-frontend-5f8997cc56-abcde',
      )
      expect(text).toContain('/podwhy team-234-we/Deployment/web-frontend')
    }
    expect(world.replies(answer)).toEqual([])
  })

  it('of a pod of the same name with another uid say so too', async () => {
    const recording = crashing()
    const world = await actingWorld([recording])
    const answer = await world.answered(pod)
    uidOf(recording, 'uid-of-the-next')
    await world.act(await world.press(answer, 'events'))
    expect(world.slack.whispers).toMatchObject([{ text: expect.stringContaining('which is gone') }])
  })

  it('of an answer that is not remembered any more say how to ask again', async () => {
    const world = await actingWorld([crashing()])
    const answer = await world.answered(pod)
    const question = await world.press(answer, 'log')
    world.store.values.delete(`answer:${answer.question.id}`)
    await world.act(question)
    expect(world.slack.whispers[0]?.text).toContain(
      'too old for its buttons; ask again with /podwhy team-234-we/Pod/web-frontend-5f8997cc56-mv5hn',
    )
  })

  it('read no other target than that of their answer', async () => {
    const world = await actingWorld([crashing()])
    const question = await world.press(await world.answered(pod), 'events', { target: { ...pod, name: 'other' } })
    world.kube.reset()
    await world.act(question)
    expect(world.kube.calls).toEqual([])
    expect(world.slack.whispers).toMatchObject([{ text: expect.stringContaining('/podwhy team-234-we/Pod/other') }])
  })
})

describe('Mute', () => {
  it('without an incident says that there is nothing to mute', async () => {
    const world = await actingWorld([crashing()])
    await world.act(await world.press(await world.answered(pod), 'mute'))
    expect(world.slack.whispers).toMatchObject([{ text: expect.stringContaining('no alert behind this answer') }])
  })

  it('silences the incident for an hour from the press on, and unmute ends that', async () => {
    const world = await actingWorld([crashing()])
    const answer = await world.answered(pod)
    const { incident } = await world.book.join({
      ...{ question: answer.question.id, cluster: 'prod', namespace: pod.namespace, owner: null, target: pod },
      ...{ channelId: 'C1', threadTs: null, pod: pod.name, at: '2026-05-04T12:00:00Z' },
      ...{ cause: { id: 'app.crash', container: 'nginx', summary: 'x', facts: [], firstAt: '2026-05-04T12:00:00Z' } },
    } as unknown as Parameters<typeof world.book.join>[0])
    const askedAt = '2026-05-04T12:03:00Z'
    await world.act(await world.press(answer, 'mute', { askedAt }))
    expect(await world.book.muted(incident.key)).toEqual({ userId: 'U7', until: '2026-05-04T13:03:00.000Z' })
    expect(world.redrawn).toEqual([{ key: incident.key, mutedUntilMs: Date.parse('2026-05-04T13:03:00Z') }])
    await world.act(await world.press(answer, 'unmute'))
    expect(await world.book.muted(incident.key)).toBeNull()
  })
})

it('where the bot is not in the channel the one who pressed is told alone', async () => {
  const world = await actingWorld([crashing()])
  const answer = await world.answered(pod)
  world.slack.outside.add('C1')
  const responseUrl = world.slack.responseUrl()
  await world.act(await world.press(answer, 'events', { responseUrl }))
  await world.act(await world.press(answer, 'log', { responseUrl: world.slack.responseUrl() }))
  expect(world.slack.whispers.map(({ via }) => via)).toEqual(['response_url', 'response_url'])
  expect(textOf(world.slack.whispers[1])).toContain('/invite')
})
