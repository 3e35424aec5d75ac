import { describe, expect, it } from 'vitest'
import { AlertRoutesError, parseAlertRoutes, routedChannel } from '../../src/alerts/alert-routes.ts'

const table = 'severity=critical&namespace=pay*:C0PAYCRIT, namespace=pay*:C0PAYING\nalertname=Kube*:C0KUBEALL'
const channelOf = (labels: Record<string, string>, text = table) => routedChannel(labels, parseAlertRoutes(text))

describe('an alert is routed', () => {
  it.each([
    ['by the first route that matches', { namespace: 'payments', alertname: 'KubePodNotReady' }, 'C0PAYING'],
    ['where all its labels match', { namespace: 'pay', severity: 'critical' }, 'C0PAYCRIT'],
    ['by any label', { namespace: 'shop', alertname: 'KubePodNotReady' }, 'C0KUBEALL'],
    ['nowhere else', { namespace: 'shop', alertname: 'TargetDown' }, null],
    ['by whole values only', { namespace: 'my-pay' }, null],
    ['nowhere without such a label', {}, null],
  ])('%s', (_, labels, channel) => {
    expect(channelOf(labels as Record<string, string>)).toBe(channel)
  })

  it.each([
    ['app=web.api:C0WEBAPIS', { app: 'web.api' }, true],
    ['app=web.api:C0WEBAPIS', { app: 'webxapi' }, false],
    ['app=web?api:C0WEBAPIS', { app: 'webxapi' }, true],
    ['app=(a|b):C0WEBAPIS', { app: 'a' }, false],
    ['instance=10.0.0.1:9090:C0WEBAPIS', { instance: '10.0.0.1:9090' }, true],
    ['app=*:C0WEBAPIS', {}, true],
  ])('by the glob of %s: %j %s', (text, labels, isMatch) => {
    expect(channelOf(labels as Record<string, string>, text) !== null).toBe(isMatch)
  })
})

it.each([
  ['namespace=shop', /^"namespace=shop" names no channel; write LABEL=GLOB:CHANNEL/],
  ['namespace=shop:#alerts', /^"#alerts" in "namespace=shop:#alerts" is not a channel's id; copy it/],
  ['shop:C0123456', /^"shop" in "shop:C0123456" is not LABEL=GLOB/],
  ['namespace=:C0123456', /^"namespace=" in .* is not LABEL=GLOB/],
  ['a=b&:C0123456', /^"" in .* is not LABEL=GLOB/],
  ['name space=a:C0123456', /^"name" names no channel/],
])('%s is refused in one line', (text, message) => {
  expect(() => parseAlertRoutes(text)).toThrow(AlertRoutesError)
  expect(() => parseAlertRoutes(text)).toThrow(message)
})
