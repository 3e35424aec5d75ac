import { describe, expect, it } from 'vitest'
import { findTarget } from '../../src/slack/find-target.ts'
import { pastedTargets } from '../../src/slack/pasted-targets.ts'
import { targetText } from '../../src/slack/question.ts'
import { parseTyped } from '../../src/typed-target.ts'

const list = [
  'NAME                   READY   STATUS             RESTARTS      AGE',
  'db-0                   1/1     Running            0             10d',
  'web-7df5687c7-mgfcr    0/1     CrashLoopBackOff   5 (2m ago)    10m',
]
const parse = (text: string) => parseTyped(text, { clusters: ['prod'] })
/** What "Why?" on such a message asks about. */
const meant = (message: string) => {
  const found = findTarget(message, parse)
  return found === null ? null : targetText(parse(found))
}

describe('a message is about what was', () => {
  it.each([
    ['a line of kubectl', 'anybody?\n```kubectl describe pod web-1 -n shop```', 'shop/Pod/web-1'],
    ['a line of kubectl within a sentence', 'I ran `kubectl logs web-1 -n shop` and got nothing', 'shop/Pod/web-1'],
    ['a short one', '```\n$ k logs deploy/web -n shop\n```', 'shop/Deployment/web'],
    ['a target with -n', 'please look: web-1 -n shop, it crashes', 'shop/web-1'],
    ['a kind and a name with -n', 'sts db --namespace data is slow', 'data/StatefulSet/db'],
    [
      'a list of all namespaces',
      'NAMESPACE  NAME  READY  STATUS\npay   api-0   1/1   Running   0\nshop   web-1   0/2   Init:Error   1 (5s ago)   1m',
      'shop/Pod/web-1',
    ],
    ['a list with its command', ['$ kubectl get pods -n shop', ...list].join('\n'), 'shop/Pod/web-7df5687c7-mgfcr'],
    [
      'a list with its command, of several that are not well',
      ['$ kubectl get pods -n shop', ...list, 'api-0  0/1  Pending  0  1m'].join('\n'),
      'shop/',
    ],
    ['a row of k9s', 'shop   web-1   ●   0/1   CrashLoopBackOff   12', 'shop/Pod/web-1'],
    ['a well pod, where no other is listed', 'shop   web-1   1/1   Running   12', 'shop/Pod/web-1'],
    ['a description', 'Name:             web-1\nNamespace:        shop\nPriority:         0', 'shop/Pod/web-1'],
    ['told of in a sentence', 'Pod web-1 in namespace shop restarts all the time', 'shop/Pod/web-1'],
    ['told of so', 'the deployment web in the shop namespace does not come up.', 'shop/Deployment/web'],
    ['a target', 'shop/web-1 is down', 'shop/web-1'],
  ])('%s', (_, message, target) => {
    expect(meant(message)).toBe(target)
  })

  it.each([
    ['a list without a namespace', list.join('\n')],
    ['a command about no pod', 'kubectl get nodes'],
    ['a command without a namespace', 'kubectl logs web-1'],
    ['people', 'we are on call 24/7, lunch in the park?'],
    ['nothing', ''],
  ])('but nothing in %s', (_, message) => {
    expect(meant(message)).toBeNull()
  })
})

it.each([
  'a',
  'a ',
  'pod ',
  'pod a in ',
  'a -n ',
  'a 0/1 ',
  'a b 0/1 ',
  'kubectl ',
  'k ',
  'Name: a\n',
  'a.-',
  'shop web-1 0/1 Error\n',
])('a message of many %j is read in linear time', piece => {
  const started = performance.now()
  pastedTargets(piece.repeat(40_000 / piece.length))
  expect(performance.now() - started).toBeLessThan(500)
})
