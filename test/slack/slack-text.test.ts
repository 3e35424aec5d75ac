import { describe, expect, it } from 'vitest'
import { findTarget } from '../../src/slack/find-target.ts'
import { namespacePolicy } from '../../src/slack/namespace-policy.ts'
import { plainText } from '../../src/slack/slack-text.ts'

it.each([
  ['  shop/web-1  ', 'shop/web-1'],
  ['<@U0PODWHY> shop/web-1', 'shop/web-1'],
  ['`shop/web-1`', 'shop/web-1'],
  ['“shop/web-1”', 'shop/web-1'],
  ['*shop/web-1*', 'shop/web-1'],
  ['<http://shop.example.com|shop.example.com>/web', 'shop.example.com/web'],
  ['<https://example.com/a>', 'example.com/a'],
  ['shop/web-1 -n\u00a0shop', 'shop/web-1 -n shop'],
  ['web-1 —namespace shop', 'web-1 --namespace shop'],
  ['a &lt;b&gt; &amp;amp; c', 'a <b> &amp; c'],
  ['<!here> <#C1|general> shop/web-1', 'shop/web-1'],
])('%j was typed as %j', (text, typed) => {
  expect(plainText(text)).toBe(typed)
})

describe('the target in a message', () => {
  const find = (text: string, known = (word: string) => void word) => findTarget(text, known)
  it.each([
    ['pod shop/web-1, again', 'shop/web-1'],
    ['(prod:shop/deploy/web)', 'prod:shop/deploy/web'],
    ['it is `shop/web-1`.', 'shop/web-1'],
    ['see https://grafana.example/d/1 and <https://a.example/b|board> first: shop/web-1', 'shop/web-1'],
    ['nothing here', null],
    ['/etc/hosts ../a/b a/b/c/d Shop/Web', null],
    ['', null],
  ])('of %j is %j', (text, target) => {
    expect(find(text)).toBe(target)
  })

  it('is the first that can be one', () => {
    const knows = (word: string) => {
      if (word !== 'shop/web-1') throw new Error('no')
    }
    expect(findTarget('and/or shop/web-1 shop/web-2', knows)).toBe('shop/web-1')
  })
})

describe('namespaces that may be asked about', () => {
  it.each([
    [undefined, 'shop', true],
    [undefined, 'kube-system', false],
    [['team-*'], 'team-a', true],
    [['team-*'], 'my-team-a', false],
    [['team-*'], 'kube-system', false],
    [['*'], 'kube-system', true],
    [['team-*', '!team-secret'], 'team-secret', false],
    [['!team-secret'], 'shop', true],
    [['!kube-*'], 'kube-public', false],
    [['{shop,pay}'], 'pay', true],
  ])('%j: %s %s', (patterns, namespace, isAllowed) => {
    expect(namespacePolicy(patterns)(namespace)).toBe(isAllowed)
  })
})
