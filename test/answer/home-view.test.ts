import { expect, it } from 'vitest'
import { type HomeRow, homeView } from '../../src/answer/home-view.ts'

const row = (fields: Partial<HomeRow> = {}): HomeRow => ({
  ...{ subject: 'Deployment web', namespace: 'shop', cluster: 'prod', cause: { summary: '`app` crashes.' }, pods: 1 },
  ...{ since: '2026-05-04T12:00:00Z', permalink: 'https://podwhy.slack.com/archives/C1/p1', mutedUntil: null },
  ...fields,
})
const view = (...rows: HomeRow[]) => homeView(rows, { at: '2026-05-04T12:30:00Z', command: '/podwhy' })
const textOf = (...rows: HomeRow[]) => JSON.stringify(view(...rows))

it('says that nothing is open, and how to ask', () => {
  expect(textOf()).toContain('Nothing is open.')
  expect(textOf()).toContain('/podwhy NAMESPACE/POD')
})

it('tells of each incident what, where, why, since when, and where its answer is', () => {
  const text = textOf(row())
  for (const part of ['1 incident is open', 'Deployment web', 'shop', 'prod', 'crashes', '2026-05-04 12:00:00 UTC'])
    expect(text).toContain(part)
  expect(text).toContain('https://podwhy.slack.com/archives/C1/p1')
})

it('has the largest first, then the newest, and the muted last', () => {
  const rows = [
    row({ subject: 'muted', pods: 9, mutedUntil: '2026-05-04T13:00:00Z' }),
    row({ subject: 'older' }),
    row({ subject: 'newer', since: '2026-05-04T12:10:00Z' }),
    row({ subject: 'large', pods: 5 }),
  ]
  const order = textOf(...rows).match(/large|newer|older|"muted"/g)
  expect(order).toEqual(['large', 'newer', 'older', '"muted"'])
  expect(textOf(...rows)).toContain('Muted until ')
})

it('has no link where none is known', () => {
  expect(textOf(row({ permalink: null }))).not.toContain('See the answer')
  expect(textOf(row({ permalink: 'javascript:alert(1)' }))).not.toContain('See the answer')
})

it('stays within a hundred blocks and counts the rest', () => {
  const many = Array.from({ length: 500 }, () => row())
  expect(view(...many).blocks.length).toBeLessThanOrEqual(100)
  expect(textOf(...many)).toContain('And 420 more.')
})
