import type { JsonObject, PodSnapshot } from '../../src/diagnosis/snapshot.ts'
import {
  aContainer,
  anEvent,
  aPod,
  aSnapshot,
  aWaitingContainer,
  crashLoop,
  current,
  ended,
  running,
  waiting,
} from './builders.ts'

const withApi = (status: JsonObject, overrides: Partial<PodSnapshot> = {}, parts: Parameters<typeof aPod>[0] = {}) =>
  aSnapshot({
    pod: aPod({ containers: [aContainer({ name: 'api', ready: false, ...status })], ...parts }),
    ...overrides,
  })

const withEvent = (reason: string, container?: string) => (text: string) =>
  withApi(
    { state: waiting('ContainerCreating') },
    { events: [anEvent(reason, text, container === undefined ? {} : { container })] },
    container === undefined ? { status: { conditions: [] } } : {},
  )

const unscheduled = (text: string): PodSnapshot => {
  const condition = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: text }
  return aSnapshot({
    pod: aPod({
      spec: { nodeName: null },
      status: { phase: 'Pending', conditions: [condition], containerStatuses: [] },
    }),
    events: [anEvent('FailedScheduling', text)],
  })
}

/** Every place from which rules read text that others wrote: the text in a snapshot in which it counts. */
export const textSources: Readonly<Record<string, (text: string) => PodSnapshot>> = {
  'log of a crash': text => withApi(crashLoop(1), { logs: { api: current(text) } }),
  'log that ends with 127': text => withApi(crashLoop(127), { logs: { api: current(text) } }),
  'log of a failing init container': text =>
    aSnapshot({
      pod: aPod({ init: [aContainer({ name: 'migrate', ...crashLoop(1) })], containers: [aWaitingContainer()] }),
      logs: { migrate: current(text) },
    }),
  'log of a waiting init container': text =>
    aSnapshot({
      pod: aPod({
        init: [aContainer({ name: 'wait', state: running(), ready: false })],
        containers: [aWaitingContainer()],
      }),
      logs: { wait: current(text) },
    }),
  'log while a probe fails': text =>
    withApi(
      { state: running() },
      {
        logs: { api: current(text) },
        events: [
          anEvent('Unhealthy', 'Readiness probe failed: HTTP probe failed with statuscode: 503', { container: 'api' }),
        ],
      },
    ),
  'arguments of a waiting init container': text =>
    aSnapshot({
      pod: aPod({
        init: [aContainer({ name: 'wait', state: running(), ready: false, spec: { args: ['-c', text] } })],
        containers: [aWaitingContainer()],
      }),
      logs: { wait: current('') },
    }),
  'environment of a waiting init container': text =>
    aSnapshot({
      pod: aPod({
        init: [
          aContainer({
            name: 'wait',
            state: running(),
            ready: false,
            spec: { env: [{ name: 'DB_HOST', value: text }] },
          }),
        ],
        containers: [aWaitingContainer()],
      }),
      logs: { wait: current('') },
    }),
  'image name': text => withApi({ state: waiting('ErrImagePull', `not found: ${text}`), spec: { image: text } }),
  'pull error': text => withApi({ state: waiting('ErrImagePull', text) }),
  'pull error in back-off': text =>
    withApi({ state: waiting('ImagePullBackOff', `Back-off pulling image "x": ${text}`) }),
  'create error': text => withApi({ state: waiting('CreateContainerError', text) }),
  'configuration error': text => withApi({ state: waiting('CreateContainerConfigError', text) }),
  'start error': text => withApi(crashLoop(128, { reason: 'StartError', message: text })),
  'termination message': text => withApi(crashLoop(1, { message: text })),
  'status message': text =>
    withApi({ state: ended(137) }, {}, { status: { phase: 'Failed', reason: 'Evicted', message: text } }),
  'kubelet refusal': text =>
    withApi(
      { state: ended(0) },
      {},
      { status: { phase: 'Failed', reason: 'UnexpectedAdmissionError', message: text } },
    ),
  'scheduler message': unscheduled,
  'mount event': withEvent('FailedMount'),
  'attach event': withEvent('FailedAttachVolume'),
  'sandbox event': withEvent('FailedCreatePodSandBox'),
  'pull event': withEvent('Failed', 'api'),
  'probe event': text =>
    withApi(
      { state: running() },
      { events: [anEvent('Unhealthy', `Readiness probe failed: ${text}`, { container: 'api' })] },
    ),
  'liveness event': text =>
    withApi(crashLoop(137), {
      events: [
        anEvent('Unhealthy', `Liveness probe failed: ${text}`, { container: 'api', secondsAgo: 22 }),
        anEvent('Killing', 'Container api failed liveness probe, will be restarted', {
          container: 'api',
          secondsAgo: 22,
        }),
      ],
    }),
  'hook event': withEvent('FailedPostStartHook', 'api'),
  'refusal of pods': text =>
    aSnapshot({
      pod: null,
      target: 'ReplicaSet/web-5d4f',
      related: {
        events: [
          {
            ...anEvent('FailedCreate', text),
            involvedObject: { kind: 'ReplicaSet', namespace: 'shop', name: 'web-5d4f' },
          },
        ],
      },
    }),
}

/** What long texts repeat: words that patterns begin with, and what they skip over. */
export const pieces: readonly string[] = [
  ' ',
  'a',
  '-',
  '/',
  ':',
  '"',
  '`',
  '(',
  '[',
  '.',
  '0',
  '\\',
  "'",
  'a.',
  'a-',
  'a/',
  'a:',
  ': ',
  '"a',
  "'a",
  ' a',
  '0.',
  '1:',
  'a=',
  'A_',
  '- ',
  '\t',
  'error: ',
  'failed to ',
  'exec: "',
  'exec ',
  'lookup ',
  'host ',
  'host=',
  'port ',
  'port=',
  'connect ',
  'dial tcp ',
  'not found ',
  'could not ',
  'could not resolve ',
  'connection to server at "',
  'Caused by: ',
  'at a(',
  'Error: ',
  'line 1: ',
  'sh: ',
  'until ',
  'while ',
  'job ',
  'wait-for ',
  'nc -z ',
  'kubectl ',
  'http://',
  'postgres://a@',
  'secret "',
  'configmap "',
  'Insufficient ',
  'node(s) had ',
  'untolerated taint {',
  '1 node(s) ',
  'rpc error: ',
  'failed to pull and unpack image "',
  'MountVolume.SetUp failed for volume "',
  'volume "',
  'relation "',
  'migration ',
  'Waiting ',
  'listening ',
  'listening on ',
  'server ',
  'exit ',
  'killed ',
  'permission denied ',
  'open a: ',
  'data directory ',
  '{"a":',
  '{"msg":"',
  '"level":"error",',
  'level=error msg="',
  '[error] ',
  '\u001b[31m',
  'Traceback ',
  'env ',
  'missing ',
  'required ',
  'variable ',
  'Exception in thread ',
  'java.lang.',
  'x509: ',
  'timed out ',
  'GET / ',
  'HTTP ',
  'éé',
  '👩',
  'violates PodSecurity "',
  'exceeded quota: ',
  'Container a ',
  'was using ',
]
