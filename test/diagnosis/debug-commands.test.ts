import { describe, expect, it } from 'vitest'
import { copyName, debugCommands } from '../../src/diagnosis/debug-commands.ts'
import { diagnose } from '../../src/diagnosis/diagnose.ts'
import type { JsonObject } from '../../src/diagnosis/snapshot.ts'
import { Subject } from '../../src/diagnosis/subject.ts'
import { View } from '../../src/diagnosis/view.ts'
import {
  aContainer,
  anEvent,
  aPod,
  aSnapshot,
  aWaitingContainer,
  crashLoop,
  type PodParts,
  waiting,
} from './builders.ts'

const withLevel = (level?: string): JsonObject => ({
  metadata: {
    name: 'shop',
    labels: level === undefined ? {} : { 'pod-security.kubernetes.io/enforce': level },
  },
})

const crashing = (spec: JsonObject = {}) => aContainer({ spec, ...crashLoop(1) })

/** The way in that is proposed for the first container in trouble, without what all commands begin with. */
const wayIn = (id: string, parts: PodParts, level: JsonObject | null = withLevel(), events: JsonObject[] = []) => {
  const view = new View(aSnapshot({ pod: aPod(parts), events, related: level === null ? {} : { namespaces: [level] } }))
  const container = view.containers.find(({ ready, ended }) => !ready && ended) ?? view.containers[0]
  const [command] = container ? debugCommands(id, new Subject(view, container)) : []
  return command?.argv.slice(4).join(' ') ?? null
}

describe('a running container', () => {
  it('gets a debug container that sees its processes', () => {
    expect(wayIn('probe.too-tight', {})).toBe('web-5d4f-x2x9k -it --image=busybox:1.36 --target=api --profile=general')
  })

  it.each([
    ['baseline', '--image=busybox:1.36 --target=api --profile=baseline'],
    ['privileged', '--image=busybox:1.36 --target=api --profile=general'],
    ['restricted', '--image=cgr.dev/chainguard/busybox --target=api --profile=restricted'],
  ])('of a namespace that enforces %s gets what that level lets through', (level, flags) => {
    expect(wayIn('probe.too-tight', {}, withLevel(level))).toBe(`web-5d4f-x2x9k -it ${flags}`)
  })

  it('of a namespace that was not read gets no profile', () => {
    expect(wayIn('probe.too-tight', {}, null)).toBe('web-5d4f-x2x9k -it --image=busybox:1.36 --target=api')
  })

  it('keeps the small image under restricted where the pod sets a user', () => {
    const spec = { securityContext: { runAsUser: 1000 } }
    expect(wayIn('probe.too-tight', { spec }, withLevel('restricted'))).toContain('--image=busybox:1.36 ')
  })
})

describe('a crash loop', () => {
  it.each([
    ['starts with a shell', { command: ['/bin/bash', '-c', 'run'] }],
    ['is a known image', { image: 'registry.example.com/mirror/python:3.12' }],
    ['names its distribution', { image: 'registry.example.com/shop/api:1.4-alpine3.20' }],
    ['is a debug variant', { image: 'gcr.io/distroless/java17-debian12:debug' }],
  ])('whose image %s gets a shell in its own image', (_, spec) => {
    expect(wayIn('app.crash', { containers: [crashing(spec)] })).toBe(
      'web-5d4f-x2x9k -it --copy-to=web-5d4f-x2x9k-debug --container=api --profile=general -- sh',
    )
  })

  it.each([
    ['gcr.io/distroless/static-debian12:nonroot'],
    ['cgr.dev/chainguard/node:latest'],
    ['registry.example.com/shop/api-scratch:1'],
    ['registry.k8s.io/metrics-server/metrics-server:v0.7.0'],
  ])('of shell-less image %s gets another image in its place', image => {
    expect(wayIn('app.crash', { containers: [crashing({ image })] })).toContain('--container=api --image=busybox:1.36 ')
  })

  it('that never started for want of a shell gets another image', () => {
    const containers = [crashing({ command: ['sh', '-c', 'run'] })]
    const failed = anEvent('Failed', 'exec: "sh": executable file not found in $PATH', { container: 'api' })
    expect(wayIn('start.command-not-found', { containers }, withLevel(), [failed])).toContain('--image=busybox:1.36')
  })

  it('of an unknown image gets its own, and is told what to do where that has no shell', () => {
    const view = new View(aSnapshot({ pod: aPod({ containers: [crashing()] }) }))
    const [container] = view.containers
    const [command] = container ? debugCommands('app.crash', new Subject(view, container)) : []
    expect(command?.argv.join(' ')).not.toContain('--image')
    expect(command?.purpose).toContain('add --image=busybox:1.36')
    expect(command?.changes).toBe(true)
  })

  it('that a probe makes keeps its process in the copy', () => {
    expect(wayIn('probe.slow-start', { containers: [crashing()] })).toBe(
      'web-5d4f-x2x9k -it --copy-to=web-5d4f-x2x9k-debug --image=busybox:1.36 --share-processes --profile=general',
    )
  })

  it('of a pod with a claim is copied on the same node', () => {
    const spec = { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] }
    expect(wayIn('app.crash', { containers: [crashing()], spec })).toContain('--same-node')
  })

  it('of an init container names that container', () => {
    const init = [aContainer({ name: 'migrate', ...crashLoop(1) })]
    const parts = { init, containers: [aWaitingContainer()], initialized: false }
    expect(wayIn('init.crash', parts)).toContain('--container=migrate')
  })
})

describe('no way in is proposed', () => {
  it.each<[string, string, PodParts]>([
    ['a cause that needs none', 'app.dependency-auth', { containers: [crashing()] }],
    ['an image that cannot be pulled', 'image.not-found', {}],
    ['a pod without a node', 'app.crash', { containers: [crashing()], spec: { nodeName: null } }],
    ['a pod that is being deleted', 'app.crash', { metadata: { deletionTimestamp: '2026-05-04T12:00:00Z' } }],
    ['Windows', 'app.crash', { spec: { nodeSelector: { 'kubernetes.io/os': 'windows' } } }],
    ['a static pod', 'app.crash', { metadata: { annotations: { 'kubernetes.io/config.mirror': 'a1' } } }],
  ])('for %s', (_, id, parts) => {
    expect(wayIn(id, parts)).toBeNull()
  })
})

it('a copy has a name that fits into 63 characters', () => {
  expect(copyName('web-5d4f-x2x9k')).toBe('web-5d4f-x2x9k-debug')
  const long = copyName(`${'a'.repeat(56)}-x2x9k`)
  expect(long).toBe(`${'a'.repeat(56)}-debug`)
  expect(long.length).toBeLessThanOrEqual(63)
})

it('the namespace is asked for only where a way in is proposed', () => {
  const asked = (pod: JsonObject) =>
    diagnose(aSnapshot({ pod })).requests.filter(request => request.read === 'object' && request.kind === 'Namespace')
  expect(asked(aPod({ containers: [crashing()] }))).toHaveLength(1)
  expect(asked(aPod({ containers: [aContainer({ state: waiting('ImagePullBackOff') })] }))).toEqual([])
})
