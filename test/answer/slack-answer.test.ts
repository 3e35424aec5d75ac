import type { KnownBlock } from '@slack/types'
import { describe, expect, it } from 'vitest'
import type { InlineElement, Message } from '../../src/answer/block-kit.ts'
import { slackAnswer } from '../../src/answer/slack-answer.ts'
import { withinLimits } from '../../src/answer/within-limits.ts'
import { bare, examples } from './diagnoses.ts'
import { hostile } from './hostile-diagnoses.ts'
import { inlineElements, messageText } from './message-text.ts'

const all = Object.entries({ ...examples, ...hostile })
const messagesOf = (name: string): Message[] => {
  const diagnosis = { ...examples, ...hostile }[name]
  if (diagnosis === undefined) throw new Error(`no diagnosis ${name}`)
  const { root, thread } = slackAnswer(diagnosis)
  return [root, ...thread]
}
const allText = (messages: readonly Message[]) => messages.map(messageText).join('\n')
const logText = (messages: readonly Message[]) =>
  messages
    .flatMap(({ blocks }) => blocks)
    .filter(block => block.type === 'rich_text')
    .filter(({ elements }) => JSON.stringify(elements[0]).includes('Log of '))
    .flatMap(({ elements }) => elements.filter(part => part.type === 'rich_text_preformatted'))
    .flatMap(({ elements }) => elements.map(({ text }) => text))
    .join('\n')

describe.each(Object.keys(examples))('the answer to %s', name => {
  it('reads like this', async () => {
    const [root, ...thread] = messagesOf(name)
    const text = [root, ...thread].map(message => (message === undefined ? '' : messageText(message)))
    await expect(`${text.join('\n\n━━━ in the thread ━━━\n\n')}\n`).toMatchFileSnapshot(`answers/${name}.slack.txt`)
  })

  it('repeats no sentence of the first message in the thread', () => {
    const [root, ...thread] = messagesOf(name)
    const below = allText(thread)
    const sentences = (root === undefined ? '' : messageText(root)).split(/[.:]\s|\n/).filter(part => part.length > 30)
    expect(sentences.length).toBeGreaterThan(0)
    for (const sentence of sentences) expect(below).not.toContain(sentence)
  })
})

it('gives blocks of the exact JSON that Slack is sent', async () => {
  const json = JSON.stringify(messagesOf('sidecar-down'), null, 2)
  await expect(`${json}\n`).toMatchFileSnapshot('answers/sidecar-down.slack.json')
})

it('gives blocks that Slack’s own types accept', () => {
  const blocks: KnownBlock[] = messagesOf('init-wait').flatMap(message => message.blocks)
  expect(blocks.length).toBeGreaterThan(3)
})

describe.each(all)('of %s', (name, diagnosis) => {
  it('every message is within the limits of Slack', () => {
    for (const message of messagesOf(name)) expect(withinLimits(message)).toEqual([])
  })

  it('the first message has at most 5 lines and 700 characters, the text of each at most about 300', () => {
    const messages = messagesOf(name)
    const root = messages[0] === undefined ? '' : messageText(messages[0])
    expect(root.length).toBeLessThanOrEqual(700)
    expect(root.split('\n').length).toBeLessThanOrEqual(5)
    for (const { text } of messages) {
      expect(text.replaceAll(/&(amp|lt|gt);/g, '&').length).toBeLessThanOrEqual(300)
    }
  })

  it('nothing can mention, link or form markup', () => {
    for (const message of messagesOf(name)) {
      expect(message.text).not.toMatch(/[<>]|&(?!(amp|lt|gt);)/)
      const types = new Set(inlineElements(message).map((element: InlineElement) => element.type))
      expect([...types].filter(type => !['text', 'date', 'emoji'].includes(type))).toEqual([])
    }
  })

  it('no control character, escape, direction override or half character is left', () => {
    for (const message of messagesOf(name)) {
      expect(message.text.isWellFormed()).toBe(true)
      for (const element of inlineElements(message)) {
        const text = element.type === 'text' ? element.text : ''
        expect(text).not.toMatch(/(?![\t\n])\p{Cc}|[\u202A-\u202E\u2066-\u2069\u200E\u200F]/u)
        expect(text.isWellFormed()).toBe(true)
      }
    }
  })

  it('the same diagnosis gives the same bytes', () => {
    expect(JSON.stringify(slackAnswer(structuredClone(diagnosis)))).toBe(JSON.stringify(slackAnswer(diagnosis)))
  })
})

describe('the log', () => {
  it('keeps the newest of 2,000 lines, and says how many there were', () => {
    const messages = messagesOf('2,000 log lines')
    expect(logText(messages).split('\n')).toEqual(Array.from({ length: 30 }, (_, i) => `line ${1970 + i}`))
    expect(allText(messages)).toContain('The last 30 of 2500 lines')
  })

  it('keeps both ends of a line of 10,000 characters, and the newest line whole lines fit for', () => {
    const lines = logText(messagesOf('log lines of 10,000 characters')).split('\n')
    expect(lines.at(-1)).toMatch(/^39 x+…x+ 39$/)
    expect(lines.map(line => line.length)).toEqual([600, 600, 600, 600])
  })

  it('shows what escapes dress up, without the escapes', () => {
    expect(logText(messagesOf('escapes')).split('\n')[0]).toBe('red  link    tab\there')
  })

  it('shows mentions as the text that was written', () => {
    expect(logText(messagesOf('mentions'))).toContain('<!channel> <!here> <@U012AB3CD>')
  })

  it('says that nothing was written where there are no lines', () => {
    const log = { ...logOf('liveness-kill'), lines: [] }
    const { thread } = slackAnswer({ ...examples['liveness-kill'], ...bare({ log }) })
    expect(allText(thread)).toContain('It wrote nothing.')
  })
})

const logOf = (name: string) => {
  const log = examples[name]?.log
  if (log === null || log === undefined) throw new Error(`${name} has no log`)
  return log
}

describe('what is too long', () => {
  it('is cut in the first message and stands in full at the top of the thread', () => {
    const long = `\`consumer\` stops. ${'Because of this and that. '.repeat(40)}The end.`
    const example = { ...bare(), ...examples['liveness-kill'] }
    const { root, thread } = slackAnswer({ ...example, cause: { ...example.cause, summary: long } })
    expect(messageText(root)).toMatch(/this and that\. …\nDo: Keep/)
    expect(messageText(root)).toContain('or raise `livenessProbe.failureThreshold` of `consumer`.')
    expect(thread[0] === undefined ? '' : messageText(thread[0])).toMatch(/^In full\nconsumer stops\.[^\n]*The end\./)
  })

  it('is counted in lists: 60 facts', () => {
    const text = allText(messagesOf('60 pieces of evidence'))
    expect(text).toContain('• fact 24 ')
    expect(text).not.toContain('• fact 25 ')
    expect(text).toContain('and 35 more')
  })

  it('continues in further messages: 80 commands, each whole', () => {
    const messages = messagesOf('80 commands')
    expect(messages.length).toBeGreaterThan(2)
    for (let i = 0; i < 80; i++) expect(allText(messages)).toContain(`kubectl get pod-${i}\n`)
  })

  it('is not shown where a cut would make it wrong: a command', () => {
    expect(allText(messagesOf('a command of 20,000 characters'))).toContain(
      'Patch – changes the cluster – too long to show',
    )
  })
})

describe('a command', () => {
  it('with control characters is not shown', () => {
    const text = allText(messagesOf('escapes'))
    expect(text).toContain('not shown: it holds control characters')
    expect(text).not.toContain('kubectl get')
  })
})
