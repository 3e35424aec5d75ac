import { describe, expect, it } from 'vitest'
import { diagnose } from '../../src/diagnosis/diagnose.ts'
import type { JsonObject, PodSnapshot } from '../../src/diagnosis/snapshot.ts'
import { aContainer, aLog, aPod, aSnapshot, crashLoop, current, ended, type PodParts } from './builders.ts'

const controlledBy = (kind: string, name: string): JsonObject => ({
  ownerReferences: [{ kind, name, uid: `uid-of-${name}`, controller: true }],
})

const anObject = (kind: string, name: string, metadata: JsonObject = {}): JsonObject => ({
  kind,
  metadata: { name, namespace: 'shop', uid: `uid-of-${name}`, ...metadata },
})

const LIMIT = { limits: { memory: '64Mi' } }

interface Told {
  readonly log: string
  readonly owner?: JsonObject
  readonly parts?: PodParts
  readonly related?: PodSnapshot['related']
}

const PANIC = 'panic: index out of range'
const LOGIN = 'FATAL: password authentication failed for user "shop"'

/** The diagnosis of a pod that crash-loops with such a log. */
const answer = ({ log, owner, parts = {}, related = {} }: Told) => {
  const pod = aPod({ containers: [aContainer(crashLoop(1))], ...(owner ? { metadata: owner } : {}), ...parts })
  return diagnose(aSnapshot({ pod, logs: { api: current(aLog([log])) }, related })).diagnosis
}

const changes = (told: Told) =>
  answer(told)
    .commands.filter(command => command.changes)
    .map(({ argv }) => argv.slice(3).join(' '))

describe('a changed spec reaches the pod', () => {
  it.each<[string, Told, string]>([
    [
      'of no owner once it is made anew',
      { log: PANIC },
      'nothing makes `web-5d4f-x2x9k` again: delete it and create it anew from the corrected manifest',
    ],
    [
      'of a Job once the Job is made anew',
      { log: PANIC, owner: controlledBy('Job', 'import') },
      'delete Job `import` and create it anew.',
    ],
    [
      'of a Job that a CronJob seems to have made with its next run',
      { log: PANIC, owner: controlledBy('Job', 'import-28194180') },
      'or change the CronJob that made it',
    ],
    [
      'of a StatefulSet once the broken pod is deleted',
      { log: PANIC, owner: controlledBy('StatefulSet', 'db') },
      'delete pod `web-5d4f-x2x9k` after the change',
    ],
    [
      'of a ReplicaSet of its own once the pod is deleted',
      {
        log: PANIC,
        owner: controlledBy('ReplicaSet', 'web'),
        related: { replicaSets: [anObject('ReplicaSet', 'web')] },
      },
      'A ReplicaSet does not replace pods it has',
    ],
  ])('%s', (_, told, said) => {
    expect(answer(told).cause.fix.join('\n')).toContain(said)
  })

  it('of a static pod by the kubelet', () => {
    const metadata = { annotations: { 'kubernetes.io/config.mirror': 'a1' } }
    expect(answer({ log: PANIC, owner: metadata }).cause.fix.at(-1)).toContain('deleting the pod in the API')
  })

  it('of no owner in place, where only its memory limit is too low and the server can resize', () => {
    const containers = [aContainer({ ...crashLoop(137, { reason: 'OOMKilled' }), spec: { resources: LIMIT } })]
    const fixOn = (minor: number) =>
      diagnose(aSnapshot({ minor, pod: aPod({ containers }) })).diagnosis.cause.fix.join('\n')
    expect(fixOn(36)).toContain('--subresource=resize')
    expect(fixOn(32)).toContain('delete it and create it anew')
  })

  it.each(['Deployment', 'DaemonSet'])('of a %s by itself', kind => {
    expect(answer({ log: PANIC, owner: controlledBy(kind, 'web') }).cause.fix).toHaveLength(1)
  })

  it('of a CronJob is changed in the CronJob, which can be run at once', () => {
    const job = anObject('Job', 'import-28194180', controlledBy('CronJob', 'import'))
    const told = { log: PANIC, owner: controlledBy('Job', 'import-28194180'), related: { jobs: [job] } }
    expect(answer(told).cause.fix.join('\n')).toMatch(/CronJob `import` gives `api`.*next run of CronJob `import`/s)
    expect(changes(told)).toEqual(
      expect.arrayContaining(['edit cronjob/import', 'create job import-by-hand --from=cronjob/import']),
    )
  })

  it('names a Deployment by its ReplicaSet where that was not read', () => {
    const told = { log: PANIC, owner: controlledBy('ReplicaSet', 'web-5d4f8c9b6') }
    expect(answer(told).cause.fix[0]).toContain('the Deployment of ReplicaSet `web-5d4f8c9b6`')
  })
})

describe('a fix outside the pod', () => {
  const deployment = controlledBy('Deployment', 'web')

  it('may have to wait for the back-off, which deleting the pod skips', () => {
    expect(answer({ log: LOGIN, owner: deployment }).cause.fix.at(-1)).toBe(
      'After a fix outside the pod `api` may still wait in back-off, up to 5 minutes: deleting the pod skips the wait, and Deployment `web` makes a new one.',
    )
    expect(changes({ log: LOGIN, owner: deployment })).toContain('delete pod web-5d4f-x2x9k')
  })

  it('is waited for where nothing would make the pod again', () => {
    expect(answer({ log: LOGIN }).cause.fix.at(-1)).toContain('it is then started by itself')
    expect(changes({ log: LOGIN }).some(line => line.startsWith('delete'))).toBe(false)
  })

  it('needs no such advice where the spec is at fault', () => {
    expect(answer({ log: PANIC, owner: deployment }).cause.fix.join()).not.toContain('back-off')
  })
})

describe('how to see that it worked', () => {
  it('is a restart count that no longer grows', () => {
    expect(answer({ log: PANIC }).cause.verify).toEqual([
      '`api` runs on after its next start, and RESTARTS no longer grows.',
    ])
  })

  it('is the end of an init container', () => {
    const init = [aContainer({ name: 'migrate', ...crashLoop(1) })]
    const { cause } = answer({ log: PANIC, parts: { init, containers: [], initialized: false } })
    expect(cause.verify).toEqual(['`migrate` ends with exit code 0, and STATUS no longer begins with `Init:`.'])
  })

  it("is the next pod's success for a Job", () => {
    const containers = [aContainer({ state: ended(1) })]
    const parts = { containers, spec: { restartPolicy: 'Never' }, status: { phase: 'Failed' } }
    const { cause } = answer({ log: PANIC, parts: { ...parts, metadata: controlledBy('Job', 'import') } })
    expect(cause.verify).toEqual(['The new pod of Job `import` ends with phase Succeeded.'])
  })
})

it('a refused template is edited and watched, each command once', () => {
  const event = {
    metadata: { name: 'web.1', namespace: 'shop' },
    involvedObject: { kind: 'Deployment', namespace: 'shop', name: 'web' },
    reason: 'FailedCreate',
    type: 'Warning',
    message:
      'Error creating: pods "web-5d4f-" is forbidden: violates PodSecurity "restricted:latest": runAsNonRoot != true (pod or container "api" must set securityContext.runAsNonRoot=true)',
  }
  const related = { events: [event], replicaSets: [], deployments: [anObject('Deployment', 'web')] }
  const { cause, commands } = diagnose(aSnapshot({ pod: null, target: 'Deployment/web', related })).diagnosis
  const lines = commands.map(({ argv }) => argv.slice(3).join(' '))
  expect(cause.id).toBe('admission.pod-security')
  expect(lines.slice(-2)).toEqual(['edit deployment/web', 'rollout status deployment/web'])
  expect(new Set(lines).size).toBe(lines.length)
})

it('an exhausted Job is watched as a Job', () => {
  const { commands } = answer({ log: PANIC, owner: controlledBy('Job', 'import') })
  expect(commands.at(-1)?.argv.join(' ')).toBe('kubectl -n shop get job import --watch')
})

it('a crash loop that another node would not have says that it stays on its node', () => {
  const { cause } = answer({ log: 'exec /app: exec format error' })
  expect(cause.id).toBe('app.exec-format')
  expect(cause.evidence.map(({ text }) => text).join('\n')).toContain('restarts `api` in place')
})

it('advice that speaks of the program alone is given the object to change', () => {
  const log = 'nginx: [emerg] bind() to 0.0.0.0:80 failed (13: Permission denied)'
  const { cause } = answer({ log, owner: controlledBy('Deployment', 'web') })
  expect(cause.fix[0]).toMatch(/ Where: Deployment `web`\.$/)
})
