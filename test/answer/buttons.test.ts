import { describe, expect, it } from 'vitest'
import { commandAlone } from '../../src/answer/button-notices.ts'
import { answerButtons, type ButtonsOf } from '../../src/answer/buttons.ts'
import { refreshed } from '../../src/answer/refreshed.ts'
import { withinLimits } from '../../src/answer/within-limits.ts'

const question = 'a'.repeat(32)
const about: ButtonsOf = {
  ...{ question, target: 'prod:shop/Pod/web-1', uid: 'uid-1', container: 'app', hasEarlier: true, isHealthy: false },
  ...{ hasLog: true, commands: [], mute: null },
}
const command = (purpose: string, command = 'kubectl get pods', changes = false) => ({ purpose, command, changes })
const actionsOf = (changed: Partial<ButtonsOf> = {}) =>
  answerButtons({ ...about, ...changed }).elements.map(({ action_id }) => action_id.replace('podwhy_', ''))
const optionsOf = (commands: ButtonsOf['commands']) => {
  const menu = answerButtons({ ...about, commands }).elements.find(({ type }) => type === 'overflow')
  return menu?.type === 'overflow' ? menu.options : []
}

describe('the buttons of an answer', () => {
  it('are all of them where all make sense', () => {
    const all = ['refresh', 'log', 'earlier', 'events', 'describe', 'mute', 'commands']
    expect(actionsOf({ mute: 'mute', commands: [command('Look')] })).toEqual(all)
  })

  it('offer no earlier instance where there is none, and no log without a container', () => {
    expect(actionsOf({ hasEarlier: false })).toEqual(['refresh', 'log', 'events', 'describe'])
    expect(actionsOf({ hasLog: false, hasEarlier: false })).toEqual(['refresh', 'events', 'describe'])
    expect(actionsOf({ container: null })).toEqual(['refresh', 'events', 'describe'])
    expect(actionsOf({ uid: null })).toEqual(['refresh', 'events', 'describe'])
  })

  it('of a healthy pod are few', () => {
    const healthy = { isHealthy: true, mute: 'mute', commands: [command('Look')] } as const
    expect(actionsOf(healthy)).toEqual(['refresh', 'events', 'describe'])
  })

  it('unmute what is muted', () => {
    expect(actionsOf({ mute: 'unmute' })).toContain('unmute')
    expect(actionsOf({ mute: 'unmute' })).not.toContain('mute')
  })

  it('carry what they are about', () => {
    const [refresh] = answerButtons(about).elements
    const value = { t: 'prod:shop/Pod/web-1', q: question, u: 'uid-1', c: 'app' }
    expect(refresh?.type === 'button' && JSON.parse(refresh.value)).toEqual(value)
  })

  it('have a menu of five commands at most, each with its place among all', () => {
    const options = optionsOf(['One', 'Two', 'Three', 'Four', 'Five', 'Six'].map(purpose => command(purpose)))
    expect(options.map(({ text }) => text.text)).toEqual(['One', 'Two', 'Three', 'Four', 'Five'])
    expect(JSON.parse(options[4]?.value ?? '')).toEqual({ q: question, i: 4 })
  })

  it('say which commands change the cluster, and cut a long purpose at its end', () => {
    const [long, change] = optionsOf([command('See '.repeat(30)), command('Mend it', 'kubectl edit', true)])
    expect(long?.text.text).toMatch(/^See See .*…$/)
    expect(change?.text.text).toBe('Mend it – changes the cluster')
  })

  it('leave out a command that holds control characters, and keep the places of the others', () => {
    const options = optionsOf([command('Bad', 'kubectl\u0007'), command('See `app`')])
    expect(options.map(({ text, value }) => [text.text, JSON.parse(value).i])).toEqual([['See app', 1]])
  })

  it('are within the limits of Slack however long the names are', () => {
    const long = { target: `${'arn:aws:eks:'.repeat(20)}:${'n'.repeat(63)}/Deployment/${'x'.repeat(253)}` }
    const commands = [command('p'.repeat(300))]
    const block = answerButtons({ ...about, ...long, commands, mute: 'mute' })
    expect(withinLimits({ text: 'x', blocks: [block] })).toEqual([])
  })
})

describe('a command alone', () => {
  it('stands whole in a block of its own', () => {
    const { blocks } = commandAlone(command('See the log', 'kubectl logs web-1 -n shop'))
    expect(blocks).toMatchObject([
      { elements: [{}, { type: 'rich_text_preformatted', elements: [{ text: 'kubectl logs web-1 -n shop' }] }] },
    ])
  })

  it.each(['', 'kubectl\u001b[2J', 'k'.repeat(3_000)])('is not shown where it cannot be: %j', text => {
    const message = commandAlone(command('See the log', text))
    expect(JSON.stringify(message.blocks)).toContain('cannot be shown')
    expect(withinLimits(message)).toEqual([])
  })
})

it('a refreshed answer says when and by whom, above its buttons, without calling that person', () => {
  const root = { text: 'x', blocks: [answerButtons(about)] }
  const message = refreshed(root, { userId: 'U7', at: '2026-05-04T12:03:10Z' })
  expect(message.blocks.map(({ type }) => type)).toEqual(['rich_text', 'actions'])
  expect(JSON.stringify(message.blocks)).toContain('12:03:10 UTC')
  expect(JSON.stringify(message.blocks)).toContain('{"type":"user","user_id":"U7"}')
  expect(message.text).not.toContain('U7')
})
