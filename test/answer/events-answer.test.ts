import { expect, it } from 'vitest'
import { eventsAnswer } from '../../src/answer/events-answer.ts'
import { withinLimits } from '../../src/answer/within-limits.ts'
import type { PodEvent } from '../../src/diagnosis/pod-events.ts'

const event = (fields: Partial<PodEvent> = {}): PodEvent => ({
  ...{ reason: 'BackOff', message: 'Back-off restarting failed container', isWarning: true, count: 1 },
  ...{ firstAt: null, lastAt: '2026-05-04T12:03:10Z', container: null, kind: 'Pod', name: 'web-1', uid: null, id: '' },
  ...fields,
})
const told = (events: readonly PodEvent[], unread: readonly string[] = []) =>
  eventsAnswer({ subject: 'web-1', events, unread })
const textOf = (message: unknown) => JSON.stringify(message)

it('an event is told with its time, type, reason, count and message', () => {
  const [message] = told([event({ count: 14 })])
  expect(textOf(message)).toContain('12:03:10  Warning  BackOff ×14  Back-off restarting failed container')
})

it('events of owners name them', () => {
  const created = event({ kind: 'ReplicaSet', name: 'web', reason: 'SuccessfulCreate', message: 'x', isWarning: false })
  expect(textOf(told([created]))).toContain('Normal   SuccessfulCreate  ReplicaSet/web: x')
})

it('without events it says that they live an hour', () => {
  expect(textOf(told([]))).toContain('they live an hour')
})

it('what could not be read is said, and not that there is nothing', () => {
  const message = textOf(told([], ['events: forbidden']))
  expect(message).toContain('events: forbidden')
  expect(message).not.toContain('they live an hour')
})

it('of very many the newest are told, within the limits of Slack, and the others counted', () => {
  const many = Array.from({ length: 500 }, (_, at) => event({ reason: `R${at}`, message: '"\\\n'.repeat(200) }))
  const messages = told(many)
  expect(messages.length).toBeGreaterThan(1)
  expect(messages.flatMap(withinLimits)).toEqual([])
  expect(textOf(messages)).toContain('R499')
  const shown = (textOf(messages).match(/R\d+ /g) ?? []).length
  expect(textOf(messages[0])).toContain(`${500 - shown} older ones are left out`)
})

it('a message cannot break out of its line', () => {
  const [{ blocks }] = told([event({ message: 'one\n<!channel>\u001b[31mtwo' })])
  expect(textOf(blocks)).toContain('one <!channel>two')
  expect(textOf(blocks)).not.toContain('mrkdwn')
})
