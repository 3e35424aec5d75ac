import { describe, expect, it } from 'vitest'
import type { ActionsBlock, Message } from '../../src/answer/block-kit.ts'
import { type IncidentView, incidentRoot } from '../../src/answer/incident-root.ts'
import { slackAnswer } from '../../src/answer/slack-answer.ts'
import { withinLimits } from '../../src/answer/within-limits.ts'
import { examples } from './diagnoses.ts'
import { hostile } from './hostile-diagnoses.ts'
import { messageText } from './message-text.ts'

const rootOf = (name: string): Message => {
  const diagnosis = { ...examples, ...hostile }[name]
  if (diagnosis === undefined) throw new Error(`no diagnosis ${name}`)
  return slackAnswer(diagnosis).root
}
const base = rootOf('liveness-kill')
const openedAt = '2026-05-04T12:00:00Z'
const view = (fields: Partial<IncidentView> = {}): IncidentView => ({
  pod: 'web-1',
  owner: 'Deployment web',
  causes: [{ summary: 'Container `api` is out of memory.', pods: ['web-1'] }],
  named: [],
  openedAt,
  ended: null,
  relapses: 0,
  muted: null,
  ...fields,
})
const buttons: ActionsBlock = {
  type: 'actions',
  elements: [
    { type: 'button', action_id: 'podwhy_refresh', text: { type: 'plain_text', text: 'Refresh' }, value: '{}' },
  ],
}
const linesOf = (message: Message): string[] => messageText(message).split('\n')
/** What is said beside the answer itself. */
const added = (fields: Partial<IncidentView>): string => {
  const known = new Set(linesOf(base))
  const [, ...lines] = linesOf(incidentRoot(base, view(fields), buttons))
  return lines.filter(line => line !== '' && !known.has(line)).join('\n')
}
const pods = (count: number, name = 'web'): string[] => Array.from({ length: count }, (_, at) => `${name}-${at + 1}`)
const first = (count: number) => [{ summary: 'Container `api` is out of memory.', pods: pods(count) }]
const recovered = { how: 'recovered', at: '2026-05-04T12:34:00Z' } as const

describe('the answer of an incident', () => {
  it('is the answer as it was made while nothing is to be added, with its buttons last', () => {
    const message = incidentRoot(base, view(), buttons)
    expect(message.text).toBe(base.text)
    expect(message.blocks).toEqual([...base.blocks, buttons])
    expect(incidentRoot(message, view(), buttons)).toEqual(message)
  })

  it.each<[string, Partial<IncidentView>, string]>([
    ['one more pod', { causes: first(2) }, 'The same in 1 more pod of Deployment web: `web-2`.'],
    [
      'four more pods, by name',
      { causes: first(5) },
      'The same in 4 more pods of Deployment web: `web-2`, `web-3`, `web-4`, `web-5`.',
    ],
    [
      'very many pods, counted',
      { causes: first(500) },
      'The same in 499 more pods of Deployment web: `web-2`, `web-3`, `web-4` and 496 more.',
    ],
    [
      'another cause',
      { causes: [...first(1), { summary: 'Image `x` does not exist.', pods: pods(2, 'api') }] },
      'Also, in 2 pods (`api-1`, `api-2`): Image `x` does not exist.',
    ],
    ['nothing of a cause that no pod has any more', { causes: [...first(1), { summary: 'Old.', pods: [] }] }, ''],
    ['a relapse', { relapses: 1 }, 'It had recovered and came back.'],
    ['several relapses', { relapses: 3 }, 'It had recovered and came back 3 times.'],
    ['its recovery, and how long it took', { ended: recovered }, 'Recovered at 12:34:00 UTC, after 34m.'],
    [
      'its recovery after relapses',
      { ended: recovered, relapses: 2 },
      'Recovered at 12:34:00 UTC, after 34m. It came back 2 times before.',
    ],
    [
      'its owner’s end',
      { ended: { ...recovered, how: 'gone' } },
      'Ended at 12:34:00 UTC: Deployment web was deleted or scaled to zero.',
    ],
    [
      'the end of its watch',
      { ended: { ...recovered, how: 'unwatched' } },
      'Not recovered after 6 h; not looked at any more since 12:34:00 UTC.',
    ],
    [
      'who muted it, and until when',
      { muted: { userId: 'U1', until: '2026-05-04T13:00:00Z' } },
      'Muted by @U1 until 13:00:00 UTC.',
    ],
  ])('says %s', (_, fields, text) => {
    expect(added(fields)).toBe(text)
  })

  it('is marked green when it has recovered, for readers and in notifications', () => {
    const { text, blocks } = incidentRoot(base, view({ ended: recovered }), null)
    expect(text).toMatch(/^🟢 Recovered: /)
    expect(text).not.toContain('🔴')
    expect(messageText({ text, blocks })).toMatch(/^:large_green_circle: /)
    expect(JSON.stringify(blocks)).not.toContain('red_circle')
  })

  it('says its end right below its head, before what was to be done', () => {
    const [, second] = linesOf(incidentRoot(base, view({ ended: recovered }), null))
    expect(second).toBe('Recovered at 12:34:00 UTC, after 34m.')
  })

  it('stays red when nobody looks any more', () => {
    const ended = { how: 'unwatched', at: openedAt } as const
    expect(incidentRoot(base, view({ ended }), null).text).toBe(base.text)
  })

  it('gives the same view the same bytes', () => {
    const fields = { causes: first(9), ended: recovered, relapses: 1 }
    const [one, two] = [incidentRoot(base, view(fields), buttons), incidentRoot(base, view(fields), buttons)]
    expect(JSON.stringify(one)).toBe(JSON.stringify(two))
  })
})

const long = 'a'.repeat(253)
const evil = ['*_~`<!channel>&', '\u202e\u0000', '👩‍👩‍👧‍👦'.repeat(30), '`'.repeat(200)]

describe.each(Object.keys({ ...examples, ...hostile }))('the answer to %s', name => {
  it('keeps within the limits of Slack with all that may be added', () => {
    const worst = view({
      owner: `Deployment ${long}`,
      causes: Array.from({ length: 12 }, (_, at) => ({
        summary: evil[at % evil.length]?.repeat(20) ?? '',
        pods: Array.from({ length: 500 }, (_, pod) => `${long.slice(0, 245)}-${at}-${pod}`),
      })),
      named: pods(500, long),
      relapses: 40,
      muted: { userId: 'U1', until: openedAt },
    })
    for (const ended of [null, recovered, { ...recovered, how: 'gone' as const }]) {
      expect(withinLimits(incidentRoot(rootOf(name), { ...worst, ended }, buttons))).toEqual([])
    }
  })
})
