import type { Json, JsonObject, PodSnapshot } from '../../src/diagnosis/snapshot.ts'

/** When every built snapshot was read. */
export const NOW = '2026-05-04T12:00:00Z'

/** An RFC 3339 time so many seconds before `NOW`. */
export const ago = (seconds: number): string =>
  `${new Date(Date.parse(NOW) - seconds * 1000).toISOString().slice(0, 19)}Z`

export const running = (secondsAgo = 60): JsonObject => ({ running: { startedAt: ago(secondsAgo) } })

export const waiting = (reason: string, message?: string): JsonObject => ({
  waiting: { reason, ...(message === undefined ? {} : { message }) },
})

/** An ended instance: it ran for 5 s and ended 20 s ago, unless told otherwise. */
export const ended = (exitCode: number, overrides: JsonObject = {}): JsonObject => ({
  terminated: {
    exitCode,
    reason: exitCode === 0 ? 'Completed' : 'Error',
    startedAt: ago(25),
    finishedAt: ago(20),
    containerID: 'containerd://4f1d',
    ...overrides,
  },
})

/** A crash loop in its back-off, as servers up to 1.34 show it. */
export const crashLoop = (exitCode: number, overrides: JsonObject = {}): JsonObject => ({
  state: waiting(
    'CrashLoopBackOff',
    'back-off 20s restarting failed container=api pod=web-5d4f-x2x9k_shop(3f6c0d8e-0000-4000-8000-000000000001)',
  ),
  lastState: ended(exitCode, overrides),
  restartCount: 2,
})

/** A container's spec and status side by side. */
export interface BuiltContainer {
  readonly spec: JsonObject
  /** Null: the kubelet has not reported it yet. */
  readonly status: JsonObject | null
}

/** `name`, `spec` apart; everything else belongs to its status. Runs and is ready unless told otherwise. */
export const aContainer = (overrides: JsonObject & { readonly name?: string; readonly spec?: JsonObject } = {}) => {
  const { name = 'api', spec = {}, state = running(), ...status } = overrides
  const isRunning = typeof state === 'object' && state !== null && 'running' in state
  return {
    spec: { name, image: `registry.example.com/shop/${name}:1.4.2`, ...spec },
    status: {
      name,
      image: `registry.example.com/shop/${name}:1.4.2`,
      state,
      lastState: {},
      ready: isRunning,
      started: isRunning,
      restartCount: 0,
      ...status,
    },
  } satisfies BuiltContainer
}

/** An init container that ended with 0. */
export const aDoneStep = (name: string) => aContainer({ name, state: ended(0), ready: true, started: false })

/** A container that waits for its turn behind init containers. */
export const aWaitingContainer = (name = 'api') => aContainer({ name, state: waiting('PodInitializing') })

export interface PodParts {
  readonly init?: readonly BuiltContainer[]
  readonly containers?: readonly BuiltContainer[]
  readonly metadata?: JsonObject
  readonly spec?: JsonObject
  readonly status?: JsonObject
  /** Whether its init containers are done; default: it has none. */
  readonly initialized?: boolean
}

const condition = (type: string, is: boolean): JsonObject => ({
  type,
  status: is ? 'True' : 'False',
  lastTransitionTime: ago(300),
})

const statuses = (containers: readonly BuiltContainer[]): readonly JsonObject[] =>
  containers.flatMap(({ status }) => (status ? [status] : []))

/** A scheduled pod; without overrides one that runs and is ready. */
export const aPod = (parts: PodParts = {}): JsonObject => {
  const { init = [], containers = [aContainer()], metadata = {}, spec = {}, status = {} } = parts
  const isInitialized = parts.initialized ?? init.length === 0
  const isReady = containers.every(container => container.status?.['ready'] === true)
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: 'web-5d4f-x2x9k',
      namespace: 'shop',
      uid: '3f6c0d8e-0000-4000-8000-000000000001',
      creationTimestamp: ago(600),
      ...metadata,
    },
    spec: {
      nodeName: 'node-a',
      restartPolicy: 'Always',
      terminationGracePeriodSeconds: 30,
      ...(init.length > 0 ? { initContainers: init.map(({ spec: own }) => own) } : {}),
      containers: containers.map(({ spec: own }) => own),
      ...spec,
    },
    status: {
      phase: isInitialized ? 'Running' : 'Pending',
      conditions: [
        condition('PodReadyToStartContainers', true),
        condition('Initialized', isInitialized),
        condition('Ready', isReady),
        condition('ContainersReady', isReady),
        condition('PodScheduled', true),
      ],
      ...(init.length > 0 ? { initContainerStatuses: statuses(init) as Json } : {}),
      containerStatuses: statuses(containers) as Json,
      ...status,
    },
  }
}

export interface EventParts {
  /** The container it is about, in `involvedObject.fieldPath`. */
  readonly container?: string
  readonly init?: boolean
  readonly secondsAgo?: number
  readonly firstSecondsAgo?: number
  readonly type?: string
  readonly count?: number
}

/** A core/v1 event of the pod. */
export const anEvent = (reason: string, message: string, parts: EventParts = {}): JsonObject => {
  const { container, init = false, secondsAgo = 20, firstSecondsAgo = secondsAgo, type = 'Warning', count = 1 } = parts
  return {
    metadata: { name: `web-5d4f-x2x9k.${reason.toLowerCase()}`, namespace: 'shop' },
    involvedObject: {
      kind: 'Pod',
      namespace: 'shop',
      name: 'web-5d4f-x2x9k',
      uid: '3f6c0d8e-0000-4000-8000-000000000001',
      ...(container === undefined ? {} : { fieldPath: `spec.${init ? 'initContainers' : 'containers'}{${container}}` }),
    },
    reason,
    message,
    type,
    count,
    firstTimestamp: ago(firstSecondsAgo),
    lastTimestamp: ago(secondsAgo),
  }
}

/** Log lines with the times that `?timestamps=true` gives: one second apart, the last one `secondsAgo`. */
export const aLog = (lines: readonly string[], secondsAgo = 20): string =>
  lines.map((line, index) => `${ago(secondsAgo + lines.length - 1 - index).slice(0, 19)}.000000000Z ${line}\n`).join('')

export const current = (body: string) => ({ current: body, previous: null })
export const previous = (body: string) => ({ current: null, previous: body })

/** A snapshot of a built pod on a 1.36 server. */
export const aSnapshot = (overrides: Partial<PodSnapshot> & { readonly minor?: number } = {}): PodSnapshot => {
  const { minor = 36, ...rest } = overrides
  return {
    kind: 'PodSnapshot',
    takenAt: NOW,
    server: { major: '1', minor: String(minor), gitVersion: `v1.${minor}.0` },
    namespace: 'shop',
    target: 'web-5d4f-x2x9k',
    pod: aPod(),
    events: [],
    logs: {},
    related: {},
    unread: [],
    ...rest,
  }
}
