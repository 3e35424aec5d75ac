import { describe, expect, it } from 'vitest'
import type { Message } from '../../src/answer/block-kit.ts'
import { type DigestRow, type DigestView, digest } from '../../src/answer/digest.ts'
import { slackLimits } from '../../src/answer/slack-limits.ts'
import { withinLimits } from '../../src/answer/within-limits.ts'
import { messageText } from './message-text.ts'

const row = (name: string, fields: Partial<DigestRow> = {}): DigestRow => ({
  subject: `Deployment ${name}`,
  target: `test:shop/Deployment/${name}`,
  namespace: 'shop',
  cluster: 'test',
  pods: 1,
  ended: null,
  cause: { id: 'image.not-found', summary: `Image \`${name}:2\` does not exist.`, facts: [] },
  ...fields,
})
const view = (rows: readonly DigestRow[], answered: readonly string[] = []): DigestView => ({
  startedAt: '2026-05-04T12:00:00Z',
  rows,
  answered,
})
const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at))
const node = (name: string, facts: readonly string[]) =>
  row(name, { cause: { id: 'node.not-ready', summary: 'Node `worker-1` is not ready.', facts } })
const menuOf = ({ blocks }: Message) =>
  blocks
    .flatMap(block => (block.type === 'actions' ? block.elements : []))
    .flatMap(element => (element.type === 'static_select' ? element.options : []))

describe('a digest', () => {
  it('reads like this', () => {
    const rows = [
      node('orders', ['node worker-1', 'rack 7']),
      row('web', { pods: 12 }),
      node('mail', ['node worker-1']),
      node('jobs', ['rack 9', 'node worker-1']),
    ]
    const message = digest(view(rows, ['Deployment api']))
    expect(messageText(message)).toBe(
      [
        ':red_circle: Alert storm: 4 owners with 15 pods not healthy, since 2026-05-04 12:00:00 UTC.',
        '3 of 4 share one cause: `node.not-ready`, all with `node worker-1`.',
        '• Deployment orders · `shop` · 1 pod · Node worker-1 is not ready.',
        '• Deployment mail · `shop` · 1 pod · Node worker-1 is not ready.',
        '• Deployment jobs · `shop` · 1 pod · Node worker-1 is not ready.',
        '• Deployment web · `shop` · 12 pods · Image web:2 does not exist.',
        '',
        'Answered by themselves just before: `Deployment api`.',
      ].join('\n'),
    )
    expect(message.text).toMatch(/^🔴 Alert storm: 4 owners with 15 pods not healthy/)
  })

  it('names no shared fact that one of its rows has not', () => {
    const rows = [node('a', ['node worker-1']), node('b', ['node worker-1']), node('c', ['node worker-2'])]
    const text = messageText(digest(view(rows)))
    expect(text).toContain('3 of 3 have the same kind of cause: `node.not-ready`.')
    expect(text).not.toContain('all with')
  })

  it('does not speak of a shared cause where two owners have it by chance', () => {
    expect(messageText(digest(view([row('a'), row('b'), node('c', [])])))).not.toContain('share')
  })

  it('marks what has recovered, and is green when all has', () => {
    const some = digest(view([row('a', { ended: 'recovered' }), row('b')]))
    expect(messageText(some)).toContain('; 1 of them is over.')
    expect(messageText(some)).toContain('• 🟢 Deployment a')
    const all = digest(view([row('a', { ended: 'recovered' }), row('b', { ended: 'gone' })]))
    expect(messageText(all)).toMatch(/^:large_green_circle: .*; all is over\./)
    expect(all.text).toMatch(/^🟢 /)
  })

  it('offers to explain each owner, by a target that can be asked about', () => {
    expect(menuOf(digest(view([row('a')])))).toEqual([
      { text: { type: 'plain_text', text: 'Deployment a (shop)' }, value: '{"t":"test:shop/Deployment/a"}' },
    ])
  })

  it('gives the same view the same bytes', () => {
    const rows = times(40, at => node(`app-${at}`, [`node worker-${at % 3}`]))
    expect(JSON.stringify(digest(view(rows)))).toBe(JSON.stringify(digest(view(structuredClone(rows)))))
  })

  it('counts the owners it has no room for', () => {
    const message = digest(view(times(200, at => row(`app-${at}`, { pods: 500 }))))
    expect(withinLimits(message)).toEqual([])
    const text = messageText(message)
    const shown = text.split('\n').filter(line => line.startsWith('• ')).length
    expect(text).toContain('Alert storm: 200 owners with 100000 pods not healthy')
    expect(text).toContain(`And ${200 - shown} more owners.`)
    expect(shown).toBeGreaterThan(5)
  })

  const long = 'a'.repeat(253)
  const evil = [
    '*_~`<!channel>&\n',
    '\u202e\u0000\u2028',
    '👩‍👩‍👧‍👦'.repeat(60),
    '`'.repeat(300),
    '"\\'.repeat(200),
    '',
  ]
  it.each(evil.map((text, at) => [at, text]))('keeps within the limits of Slack with hostile names (%i)', (_, text) => {
    for (const count of [1, 6, 200]) {
      const rows = times(count, at =>
        row(`${at}${long}`, {
          subject: `${text}${at}`,
          namespace: long.slice(0, 63),
          cause: { id: `c.${at % 7}`, summary: String(text).repeat(20), facts: times(8, fact => `${fact}${text}`) },
        }),
      )
      const message = digest(
        view(
          rows,
          times(5, at => `${at}${text}${long}`),
        ),
      )
      expect(withinLimits(message)).toEqual([])
      for (const option of menuOf(message)) {
        expect(option.text.text.trim()).not.toBe('')
        expect(option.value.length).toBeLessThanOrEqual(slackLimits.actions.optionValue)
        expect(() => JSON.parse(option.value)).not.toThrow()
      }
    }
  })

  it('is made in a moment, however many owners there are', () => {
    const rows = times(200, at =>
      node(
        `app-${at}`,
        times(8, fact => `fact ${fact} of ${at}`),
      ),
    )
    const startedAt = performance.now()
    digest(view(rows))
    expect(performance.now() - startedAt).toBeLessThan(1_000)
  })
})
