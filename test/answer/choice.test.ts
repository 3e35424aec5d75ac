import { describe, expect, it } from 'vitest'
import { type Choice, choice, menuOf } from '../../src/answer/choice.ts'
import { withinLimits } from '../../src/answer/within-limits.ts'
import { messageText } from './message-text.ts'

const named = (count: number, name = 'web') =>
  Array.from(
    { length: count },
    (_, index): Choice => ({ label: `${name}-${index}`, target: `shop/Pod/${name}-${index}` }),
  )
const actionsOf = ({ blocks }: ReturnType<typeof choice>) =>
  blocks.flatMap(block => (block.type === 'actions' ? block.elements : []))

describe('asking back', () => {
  it('says why, and has a button for each of a few choices', () => {
    const message = choice('"web" in namespace "shop" is Deployment/web and StatefulSet/web; name the kind', [
      { label: 'Deployment/web', target: 'prod:shop/Deployment/web' },
      { label: 'StatefulSet/web', target: 'prod:shop/StatefulSet/web' },
    ])
    expect(messageText(message)).toBe('"web" in namespace "shop" is Deployment/web and StatefulSet/web; name the kind.')
    expect(actionsOf(message)).toEqual([
      {
        ...{ type: 'button', action_id: 'podwhy_choose-0', text: { type: 'plain_text', text: 'Deployment/web' } },
        value: '{"t":"prod:shop/Deployment/web"}',
      },
      {
        ...{ type: 'button', action_id: 'podwhy_choose-1', text: { type: 'plain_text', text: 'StatefulSet/web' } },
        value: '{"t":"prod:shop/StatefulSet/web"}',
      },
    ])
  })

  it.each([
    [5, 'button'],
    [6, 'static_select'],
  ])('%i choices are of type %s', (count, type) => {
    expect(new Set(actionsOf(choice('Which?', named(count))).map(element => element.type))).toEqual(new Set([type]))
  })

  it('without choices is the sentence alone', () => {
    expect(choice('no pod "x"', []).blocks.map(({ type }) => type)).toEqual(['rich_text'])
  })

  it('counts what Slack’s menus have no room for', () => {
    const message = choice('Which?', [...named(3, 'x'.repeat(200)), ...named(120)])
    expect(withinLimits(message)).toEqual([])
    const [menu] = actionsOf(message)
    const shown = menu?.type === 'static_select' ? menu.options.length : 0
    expect(shown).toBeGreaterThan(80)
    expect(messageText(message)).toContain(`${123 - shown} more: name one in full.`)
  })

  it.each([
    ['names of 253 characters', named(5, 'n'.repeat(250))],
    ['names that need escapes', named(100, '"\\\u001B[31m\u202E')],
    ['names longer than a button may carry', named(4, 'n'.repeat(2_000))],
  ])('of %s is within Slack’s limits', (_what, choices) => {
    const message = choice('"'.repeat(500), choices)
    expect(withinLimits(message)).toEqual([])
    const shown = actionsOf(message).flatMap(element =>
      element.type === 'static_select' ? element.options.map(({ text }) => text.text) : [],
    )
    expect(shown.join()).not.toMatch(/\p{Cc}|\p{Bidi_Control}/u)
  })
})

it('a menu takes no more room than it is given', () => {
  const { block, omitted } = menuOf(named(50), 'Explain one …', 1_000)
  expect(JSON.stringify(block).length).toBeLessThanOrEqual(1_000)
  expect(omitted).toBeGreaterThan(30)
  expect(menuOf(named(5), 'Explain one …', 50)).toEqual({ block: null, omitted: 5 })
})
