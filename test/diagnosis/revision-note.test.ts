import { describe, expect, it } from 'vitest'
import { diagnose } from '../../src/diagnosis/diagnose.ts'
import type { JsonObject } from '../../src/diagnosis/snapshot.ts'
import { aContainer, ago, aLog, aPod, aSnapshot, crashLoop, current, waiting } from './builders.ts'

const IMAGE = 'registry.example.com/shop/api'
const OLD: JsonObject = { name: 'api', image: `${IMAGE}:1.4`, env: [{ name: 'DB_HOST', value: 'orders-db' }] }
const NEW: JsonObject = { ...OLD, image: `${IMAGE}:1.5` }

interface Revision {
  readonly number: number
  readonly container?: JsonObject
  readonly secondsAgo?: number
  readonly ready?: number
  readonly deployment?: string
}

const aReplicaSet = ({ number, container = OLD, secondsAgo = 86_400, ready = 0, deployment = 'web' }: Revision) => ({
  kind: 'ReplicaSet',
  metadata: {
    name: `${deployment}-${number}`,
    namespace: 'shop',
    uid: `${deployment}-set-${number}`,
    creationTimestamp: ago(secondsAgo),
    annotations: { 'deployment.kubernetes.io/revision': String(number) },
    ownerReferences: [{ kind: 'Deployment', name: deployment, uid: `${deployment}-uid`, controller: true }],
  },
  spec: { template: { spec: { containers: [container] } } },
  status: { readyReplicas: ready },
})

/** The answer to a pod of revision 7 that crash-loops, or as told. */
const answer = (sets: readonly JsonObject[], container = aContainer(crashLoop(3)), log = 'something odd happened') => {
  const metadata = { ownerReferences: [{ kind: 'ReplicaSet', name: 'web-7', uid: 'web-set-7', controller: true }] }
  const pod = aPod({ containers: [container], metadata })
  return diagnose(aSnapshot({ pod, logs: { api: current(aLog([log])) }, related: { replicaSets: sets } }))
}

const commandLines = ({ diagnosis }: ReturnType<typeof answer>) => diagnosis.commands.map(({ argv }) => argv.join(' '))

const SOON = { number: 7, container: NEW, secondsAgo: 600 }

describe('a crash that came with a new revision', () => {
  it('is told with its time, what changed, and that the old pods are still ready', () => {
    const { cause } = answer([aReplicaSet(SOON), aReplicaSet({ number: 6, ready: 2 })]).diagnosis
    expect(cause.id).toBe('app.crash')
    expect(cause.summary).toMatch(
      / Since revision 7 \(11:50 UTC\): image `…:1\.4` → `…:1\.5`; 2 pods of revision 6 still ready\.$/,
    )
    expect(cause.evidence).toContainEqual({
      source: 'ReplicaSet web-7 spec.template.spec.containers[0].image',
      text: `image \`${IMAGE}:1.4\` → \`${IMAGE}:1.5\` (revision 6 → 7)`,
    })
  })

  it('points there first where nothing better is known, and how to compare and to go back', () => {
    const told = answer([aReplicaSet(SOON), aReplicaSet({ number: 6, ready: 2 })])
    expect(told.diagnosis.cause.fix[0]).toContain('what revision 7 of Deployment `web` changed of `api`')
    expect(commandLines(told)).toEqual(
      expect.arrayContaining([
        'kubectl -n shop rollout history deployment/web --revision=6',
        'kubectl -n shop rollout history deployment/web --revision=7',
        'kubectl -n shop rollout undo deployment/web --to-revision=6',
      ]),
    )
    const undo = told.diagnosis.commands.find(({ argv }) => argv.includes('undo'))
    expect(undo?.changes).toBe(true)
  })

  it('leaves the cure of a known cause first', () => {
    const log = 'FATAL: password authentication failed for user "shop"'
    const { cause } = answer([aReplicaSet(SOON), aReplicaSet({ number: 6 })], aContainer(crashLoop(1)), log).diagnosis
    expect(cause.id).toBe('app.dependency-auth')
    expect(cause.summary).toContain('Since revision 7')
    expect(cause.fix[0]).not.toContain('revision')
  })

  it('is told of an image that cannot be pulled, too', () => {
    const state = waiting('ImagePullBackOff', `Back-off pulling image "${IMAGE}:1.5": manifest unknown: not found`)
    const { cause } = answer([aReplicaSet(SOON), aReplicaSet({ number: 6, ready: 1 })], aContainer({ state })).diagnosis
    expect(cause.id).toBe('image.not-found')
    expect(cause.summary).toContain('a pod of revision 6 still ready')
  })
})

describe('what changed', () => {
  const changed = (container: JsonObject) =>
    /Since revision 7 \(11:50 UTC\): (.*)\.$/.exec(
      answer([aReplicaSet({ ...SOON, container }), aReplicaSet({ number: 6 })]).diagnosis.cause.summary,
    )?.[1]

  it.each<[string, JsonObject, string]>([
    [
      'variables by name only',
      { ...OLD, env: [{ name: 'DB_HOST', value: 's3cret' }, { name: 'DB_PORT' }] },
      'env `DB_PORT` added; env `DB_HOST` changed',
    ],
    ['a variable that is gone', { ...OLD, env: [] }, 'env `DB_HOST` removed'],
    ['a limit', { ...OLD, resources: { limits: { memory: '64Mi' } } }, '`resources.limits.memory` not set → `64Mi`'],
    ['a probe', { ...OLD, livenessProbe: { timeoutSeconds: 1 } }, '`livenessProbe` added'],
    ['arguments, without them', { ...OLD, args: ['--token=s3cret'] }, '`args` added'],
    [
      'another registry in full',
      { ...OLD, image: 'ghcr.io/shop/api:1.4' },
      `image \`${IMAGE}:1.4\` → \`ghcr.io/shop/api:1.4\``,
    ],
  ])('names %s', (_, container, said) => {
    expect(changed(container)).toBe(said)
  })

  it('says that the container itself is new', () => {
    const before = aReplicaSet({ number: 6, container: { ...OLD, name: 'web' }, ready: 1 })
    expect(answer([aReplicaSet(SOON), before]).diagnosis.cause.summary).toContain('container `api` is new in it')
  })

  it('says no more than three things in the summary; the evidence has all', () => {
    const probe = { timeoutSeconds: 1 }
    const container = { ...NEW, args: ['serve'], livenessProbe: probe, readinessProbe: probe, startupProbe: probe }
    expect(changed(container)).toMatch(/, 2 more$/)
    const { evidence } = answer([aReplicaSet({ ...SOON, container }), aReplicaSet({ number: 6 })]).diagnosis.cause
    expect(evidence.filter(({ source }) => source.startsWith('ReplicaSet web-7 spec.'))).toHaveLength(5)
  })

  it('names a variable, never its value', () => {
    const container = { ...OLD, env: [{ name: 'DB_HOST', value: 's3cret' }] }
    const { diagnosis } = answer([aReplicaSet({ ...SOON, container }), aReplicaSet({ number: 6 })])
    expect(JSON.stringify(diagnosis)).not.toContain('s3cret')
  })
})

describe('nothing is said of revisions', () => {
  it.each<[string, readonly JsonObject[]]>([
    ['where this is the first', [aReplicaSet({ ...SOON, number: 7 })]],
    ['where a newer one replaced it', [aReplicaSet(SOON), aReplicaSet({ number: 6 }), aReplicaSet({ number: 8 })]],
    ['where nothing of the container changed', [aReplicaSet({ ...SOON, container: OLD }), aReplicaSet({ number: 6 })]],
    ['of another Deployment', [aReplicaSet(SOON), aReplicaSet({ number: 6, deployment: 'api' })]],
  ])('%s', (_, sets) => {
    const { cause, commands } = answer(sets).diagnosis
    expect(cause.summary + cause.fix.join()).not.toContain('evision')
    expect(commands.some(({ argv }) => argv.includes('undo'))).toBe(false)
  })

  it('in the summary where it came long before; the next step still names it', () => {
    const long = [aReplicaSet({ ...SOON, secondsAgo: 86_400 }), aReplicaSet({ number: 6, secondsAgo: 90_000 })]
    const { cause } = answer(long).diagnosis
    expect(cause.summary).not.toContain('evision')
    expect(cause.fix[0]).toContain('– image `…:1.4` → `…:1.5` (2026-05-03 12:00 UTC)')
  })
})

it('a roll-back has no time of its own: its ReplicaSet is older than the one it replaced', () => {
  const sets = [aReplicaSet({ ...SOON, secondsAgo: 90_000 }), aReplicaSet({ number: 6, secondsAgo: 600, ready: 1 })]
  expect(answer(sets).diagnosis.cause.summary).toContain('Since revision 7: image')
})

it('the ReplicaSets are asked for only where there can be an earlier one', () => {
  const requests = (number: number) => {
    const metadata = {
      ownerReferences: [{ kind: 'ReplicaSet', name: `web-${number}`, uid: `web-set-${number}`, controller: true }],
    }
    const related = { replicaSets: [aReplicaSet({ number })] }
    const pod = aPod({ containers: [aContainer(crashLoop(3))], metadata })
    return diagnose(aSnapshot({ pod, related, partial: { replicaSets: 'only those asked for' } })).requests
  }
  const list = { read: 'list', list: 'replicaSets', namespace: 'shop' }
  expect(requests(2)).toContainEqual(list)
  expect(requests(1)).not.toContainEqual(list)
})
