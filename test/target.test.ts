import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseTarget, TargetError } from '../src/target.ts'

const arn = 'arn:aws:eks:eu-west-1:123456789012:cluster/prod'
const context = { clusters: ['prod', 'prod:eu', arn], defaultNamespace: 'default' }

describe('a target is read as', () => {
  it.each([
    ['web-1', null, 'default', null, 'web-1'],
    ['shop/web-1', null, 'shop', null, 'web-1'],
    ['pod/web-1', null, 'default', 'Pod', 'web-1'],
    ['deploy/web', null, 'default', 'Deployment', 'web'],
    ['deployment.apps/web', null, 'default', 'Deployment', 'web'],
    ['Deployments/web', null, 'default', 'Deployment', 'web'],
    ['sts/db', null, 'default', 'StatefulSet', 'db'],
    ['ds/agent', null, 'default', 'DaemonSet', 'agent'],
    ['rs/web-5d4f', null, 'default', 'ReplicaSet', 'web-5d4f'],
    ['job/migrate', null, 'default', 'Job', 'migrate'],
    ['cj/nightly', null, 'default', 'CronJob', 'nightly'],
    ['pvc/data-db-0', null, 'default', 'PersistentVolumeClaim', 'data-db-0'],
    ['shop/deploy/web', null, 'shop', 'Deployment', 'web'],
    ['job/pod/x', null, 'job', 'Pod', 'x'],
    ['web-1 -n shop', null, 'shop', null, 'web-1'],
    ['-n shop web-1', null, 'shop', null, 'web-1'],
    ['web-1 --namespace=shop', null, 'shop', null, 'web-1'],
    ['shop/web-1 -n shop', null, 'shop', null, 'web-1'],
    ['deploy web -n shop', null, 'shop', 'Deployment', 'web'],
    ['prod:shop/web-1', 'prod', 'shop', null, 'web-1'],
    ['prod:eu:shop/web-1', 'prod:eu', 'shop', null, 'web-1'],
    [`${arn}:shop/deploy/web`, arn, 'shop', 'Deployment', 'web'],
    ['prod:deploy web -n shop', 'prod', 'shop', 'Deployment', 'web'],
    ['`shop/web-1`', null, 'shop', null, 'web-1'],
    ['"shop/web-1".', null, 'shop', null, 'web-1'],
    ['shop/web-1:', null, 'shop', null, 'web-1'],
    ['shop/web-1?', null, 'shop', null, 'web-1'],
    ['  shop/web-7d-  ', null, 'shop', null, 'web-7d-'],
    ['shop/web.example', null, 'shop', null, 'web.example'],
    ['shop/', null, 'shop', 'Namespace', 'shop'],
    ['`shop/`.', null, 'shop', 'Namespace', 'shop'],
    ['prod:shop/', 'prod', 'shop', 'Namespace', 'shop'],
    ['-n shop', null, 'shop', 'Namespace', 'shop'],
    ['--namespace=shop', null, 'shop', 'Namespace', 'shop'],
    ['shop/ -n shop', null, 'shop', 'Namespace', 'shop'],
    ['prod: -n shop', 'prod', 'shop', 'Namespace', 'shop'],
    ['ns shop', null, 'shop', 'Namespace', 'shop'],
    ['prod:namespace shop', 'prod', 'shop', 'Namespace', 'shop'],
    ['ns/web', null, 'ns', null, 'web'],
  ])('%s', (text, cluster, namespace, kind, name) => {
    expect(parseTarget(text, context)).toEqual({ cluster, namespace, kind, name })
  })
})

describe('what names no target is refused in one line:', () => {
  it.each([
    ['', /name a pod/],
    ['shop/ -n other', /"shop" or "other"/],
    ['Shop/', /cannot be the name of a namespace/],
    ['-n Shop', /cannot be the name of a namespace/],
    ['deploy/', /names no pod/],
    ['a/b/c', /"b" is not a kind/],
    ['a/b/c/d', /names no pod/],
    ['shop/pod/', /names no pod/],
    ['/web', /cannot be the name of a namespace/],
    ['shop/web please', /one word too many/],
    ['why is web broken', /one word too many/],
    ['banana web', /"banana" is not a kind/],
    ['stage:shop/web', /no cluster "stage"; known are prod/],
    ['shop/web -n other', /"shop" or "other"/],
    ['web -n', /needs a namespace/],
    ['web --all', /"--all" is not an option/],
    ['shop/Web', /cannot be the name/],
    ['Shop/web', /cannot be the name of a namespace/],
    [`shop/${'a'.repeat(254)}`, /cannot be the name/],
    ['shop/$(id)', /cannot be the name/],
  ])('%s', (text, message) => {
    const parse = () => parseTarget(text, context)
    expect(parse).toThrow(TargetError)
    expect(parse).toThrow(message)
  })
})

it("the channel's namespace goes before the default one, and without either it is asked for", () => {
  expect(parseTarget('web', { channelNamespace: 'shop', defaultNamespace: 'default' }).namespace).toBe('shop')
  expect(() => parseTarget('web')).toThrow(/which namespace/)
})

it('any text is a target or one line about why not', () => {
  fc.assert(
    fc.property(fc.string(), text => {
      try {
        const { namespace, name } = parseTarget(text, context)
        expect(namespace).not.toBe('')
        expect(name).not.toBe('')
      } catch (error) {
        expect(error).toBeInstanceOf(TargetError)
        expect((error as Error).message).not.toBe('')
      }
    }),
  )
})
