import type { Message } from '../../src/answer/block-kit.ts'
import { NoSuchPod } from '../../src/cluster/no-such-pod.ts'
import type { JsonObject, PodSnapshot } from '../../src/diagnosis/snapshot.ts'
import type { IncidentBook } from '../../src/incidents/incident-book.ts'
import { incidentBook } from '../../src/incidents/incident-book.ts'
import { openMetrics } from '../../src/metrics.ts'
import type { Question, Target, Task } from '../../src/queue/job.ts'
import { RetryLater } from '../../src/queue/retry-later.ts'
import type { Run } from '../../src/queue/worker.ts'
import { alertThreads } from '../../src/slack/alert-threads.ts'
import { poster } from '../../src/slack/poster.ts'
import { slackClient } from '../../src/slack/slack-client.ts'
import { answering } from '../../src/worker/answering.ts'
import type { AnyCluster } from '../../src/worker/clusters.ts'
import { messageText } from '../answer/message-text.ts'
import { crashing } from '../end-to-end/crashing.ts'
import type { Shown, SlackServer } from '../fakes/slack-server.ts'
import { aQuestion } from '../slack/a-question.ts'
import { logLines } from '../slack/log-lines.ts'
import { Crash, MemoryStore } from '../slack/memory-store.ts'

export const namespace = 'team-234-we'
const recorded = JSON.stringify(crashing())
const recordedPod = crashing().target
const suffix = recordedPod.slice('web-frontend-'.length)

/** `ready`: since so many ms. */
type State = 'crashing' | 'no image' | { readySince: number; lastEndAt?: number }

const statusOf = (pod: JsonObject, state: State): JsonObject => {
  const status = pod['status'] as JsonObject
  if (state === 'crashing') return status
  const [container] = status['containerStatuses'] as [JsonObject]
  const time = (ms: number) => new Date(ms).toISOString()
  if (state === 'no image') {
    const message = 'Back-off pulling image "shop/web:9": rpc error: code = NotFound desc = shop/web:9: not found'
    const waiting = { reason: 'ImagePullBackOff', message }
    const own = { ...container, restartCount: 0, ready: false, lastState: {}, state: { waiting } }
    return { ...status, phase: 'Pending', containerStatuses: [own] }
  }
  const { readySince, lastEndAt } = state
  const ended = { exitCode: 1, reason: 'Error', finishedAt: time(lastEndAt ?? 0) }
  const running = { startedAt: time(readySince) }
  const own = {
    ...container,
    ...{ ready: true, started: true, state: { running } },
    lastState: lastEndAt === undefined ? {} : { terminated: ended },
    restartCount: lastEndAt === undefined ? 0 : 3,
  }
  const conditions = [{ type: 'Ready', status: 'True', lastTransitionTime: time(readySince) }]
  return { ...status, phase: 'Running', conditions, containerStatuses: [own] }
}

/** Deployments and their pods, by name, as a test wants them. */
export class FakeCluster {
  readonly owners = new Map<string, Map<string, State>>()
  /** Names that were read, in order. */
  readonly reads: string[] = []
  readonly now: () => number

  constructor(now: () => number) {
    this.now = now
  }

  /** A pod's name: of Deployment `owner`, told apart by one letter or number. */
  static pod = (owner: string, at: number | string): string => `${owner}-${suffix}${at}`

  set(owner: string, pods: Record<string, State>): void {
    this.owners.set(owner, new Map(Object.entries(pods).map(([at, state]) => [FakeCluster.pod(owner, at), state])))
  }

  read({ kind, name }: Target): PodSnapshot {
    this.reads.push(name)
    for (const [owner, pods] of this.owners) {
      if (kind === 'Deployment' ? owner === name : pods.has(name)) return this.#snapshot(owner, pods, kind, name)
    }
    throw new NoSuchPod(`there is no ${kind} "${name}"`)
  }

  #snapshot(owner: string, pods: Map<string, State>, kind: string | null, name: string): PodSnapshot {
    const base: { -readonly [Key in keyof PodSnapshot]: PodSnapshot[Key] } = JSON.parse(
      recorded.replaceAll('web-frontend', owner),
    )
    const template = base.pod ?? {}
    const made = [...pods].map(([pod, state]): [string, State, JsonObject] => [
      pod,
      state,
      {
        ...template,
        metadata: { ...(template['metadata'] as JsonObject), name: pod },
        status: statusOf(template, state),
      },
    ])
    const worst = made.find(([, state]) => typeof state === 'string') ?? made[0]
    const chosen = kind === 'Deployment' ? worst : made.find(([pod]) => pod === name)
    base.takenAt = new Date(this.now()).toISOString()
    base.related = { ...base.related, pods: made.map(([, , pod]) => pod) }
    for (const deployment of base.related.deployments ?? [])
      Object.assign(deployment['spec'] ?? {}, { replicas: pods.size })
    base.pod = chosen?.[2] ?? null
    base.target = chosen?.[0] ?? `Deployment/${owner}`
    if (chosen?.[1] !== 'crashing') Object.assign(base, { logs: {}, events: [] })
    return base
  }
}

type Work = (run: Run) => Promise<void>
type Due = { at: number; order: number; started: number; what: string; work: Work }

const START_MS = Date.parse('2026-05-04T12:00:00Z')
let channels = 0

/**
 * podwhy's worker, a cluster, a channel and a clock: jobs run when they are due, one after the other. A run that ends in
 * a `Crash` is run again by a process of its own.
 */
export class World {
  now = START_MS
  readonly store = new MemoryStore()
  readonly cluster = new FakeCluster(() => this.now)
  readonly channelId = `I${++channels}`
  /** Jobs that failed for another reason than a crash. */
  readonly failures: unknown[] = []
  /** Runs of tasks, by what they did. */
  readonly ran: string[] = []
  readonly slack: SlackServer
  readonly #ids = new Set<string>()
  #due: Due[] = []
  #order = 0
  #handlers = this.#start()

  constructor(slack: SlackServer) {
    this.slack = slack
  }

  get book(): IncidentBook {
    return incidentBook(this.store, () => this.now)
  }

  #start() {
    const { log } = logLines()
    const now = () => this.now
    const nobody = () => Promise.reject(new Error('nobody asks for that'))
    const cluster: AnyCluster = {
      name: 'test',
      read: async target => this.cluster.read(target),
      ...{ triage: nobody, about: nobody, log: nobody },
    }
    return () => {
      const client = slackClient({ token: 'xoxb-test', apiUrl: this.slack.apiUrl, log })
      const { store } = this
      return answering({
        clusters: { names: ['test'], of: () => cluster, close: async () => {} },
        poster: poster({ client, store, log, now, delay: async () => {}, pause: async ms => this.#pass(ms) }),
        alerts: alertThreads(store, { now }),
        ...{ store, readyMs: 600_000, now, metrics: openMetrics(), log },
        later: async (task, options) => this.#later(task, options),
      })
    }
  }

  #later(task: Task, { id, delayMs }: { id: string; delayMs: number }): void {
    if (this.#ids.has(id)) return
    this.#ids.add(id)
    this.#put(Math.max(0, delayMs), task.do, async run => {
      this.ran.push(task.do)
      await this.#handlers().task?.(task, run)
    })
  }

  #pass(ms: number): void {
    this.now += ms
  }

  #put(delayMs: number, what: string, work: Work, started = 1): void {
    this.#due.push({ at: this.now + delayMs, order: this.#order++, started, what, work })
  }

  /** Another worker does a task, whatever is due here. */
  async elsewhere(task: Task, started = 1): Promise<void> {
    await this.#handlers().task?.(task, { started, attempt: 1, attempts: 5, signal: new AbortController().signal })
  }

  /** An alert about a pod comes; it is handled by the next `advance`. Gives its question. */
  alert(owner: string, at: number | string, fields: Partial<Question> = {}): Question {
    const target: Target = { cluster: null, namespace, kind: 'Pod', name: FakeCluster.pod(owner, at) }
    const askedAt = new Date(this.now).toISOString()
    const question = aQuestion({ via: 'alert', channelId: this.channelId, target, askedAt, ...fields })
    this.#put(0, 'answer', run => this.#handlers().answer(question, run))
    return question
  }

  /** An alert as a post in the channel, to be answered in its thread. */
  post(owner: string, at: number | string): Question {
    return this.alert(owner, at, { threadTs: this.slack.sayAs(this.channelId, {}) })
  }

  /** The same, of an alert that the webhook has, too: it finds the post. */
  async postBothWays(owner: string, at: number | string): Promise<void> {
    const { id, target, threadTs } = this.post(owner, at)
    const threads = alertThreads(this.store, { now: () => this.now })
    await threads.put(this.channelId, target, { ts: threadTs ?? '', question: id })
  }

  /** Lets so many seconds pass, and does what is due meanwhile. */
  async advance(seconds: number): Promise<void> {
    const until = this.now + seconds * 1_000
    for (;;) {
      this.#due.sort((a, b) => a.at - b.at || a.order - b.order)
      const next = this.#due[0]
      if (next === undefined || next.at > until) break
      this.#due.shift()
      this.now = Math.max(this.now, next.at)
      await this.#do(next)
    }
    this.now = Math.max(this.now, until)
  }

  async #do({ work, what, started }: Due): Promise<void> {
    try {
      await work({ started, attempt: 1, attempts: 5, signal: new AbortController().signal })
    } catch (error) {
      if (error instanceof Crash) {
        this.store.crash = null
        this.#put(0, what, work, started + 1)
      } else if (error instanceof RetryLater) this.#put(error.delayMs, what, work, started + 1)
      else this.failures.push(error)
    }
  }

  /** What podwhy has posted into the channel itself, oldest first. */
  get roots() {
    return this.slack.channel(this.channelId).filter(({ metadata }) => metadata !== null)
  }

  /** The threads of other apps' posts, oldest first. */
  get posts() {
    return this.slack.channel(this.channelId).filter(({ metadata }) => metadata === null)
  }
}

/** What a reader sees. */
export const read = (shown: Shown | undefined): string => messageText((shown ?? { text: '', blocks: [] }) as Message)

/** The only one of them; an error where there are more or none. */
export const only = (shown: readonly Shown[]): Shown => {
  const [one, ...others] = shown
  if (one === undefined || others.length > 0) throw new Error(`not one: ${shown.map(({ text }) => text).join(' | ')}`)
  return one
}

/** So many pods, all in one state. */
export const states = <State>(count: number, state: State): Record<string, State> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [at, state]))
