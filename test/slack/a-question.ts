import type { Message } from '../../src/answer/block-kit.ts'
import type { Question } from '../../src/queue/job.ts'

export const aMessage = (text: string): Message => ({
  text,
  blocks: [{ type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text }] }] }],
})

let asked = 0
export const aQuestion = (fields: Partial<Question> = {}): Question => ({
  id: (++asked).toString(16).padStart(32, '0'),
  target: { cluster: null, namespace: 'shop', kind: null, name: 'web-1' },
  alternatives: [],
  via: 'command',
  named: [],
  want: 'answer',
  about: null,
  onlyUnhealthy: false,
  teamId: 'T0PODWHY',
  channelId: 'C1',
  userId: 'U1',
  threadTs: null,
  responseUrl: null,
  askedAt: '2026-05-04T12:00:00Z',
  ...fields,
})
