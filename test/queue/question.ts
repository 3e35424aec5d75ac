import { randomBytes } from 'node:crypto'
import type { Question } from '../../src/queue/job.ts'

/** A question with an id of its own, from a user of its own. */
export const question = (overrides: Partial<Question> = {}): Question => ({
  id: randomBytes(16).toString('hex'),
  target: { cluster: null, namespace: 'shop', kind: null, name: 'orders' },
  alternatives: [],
  via: 'command',
  named: [],
  want: 'answer',
  about: null,
  onlyUnhealthy: false,
  teamId: 'T1',
  channelId: 'C1',
  userId: `U${randomBytes(4).toString('hex')}`,
  threadTs: null,
  responseUrl: null,
  askedAt: '2026-05-04T12:00:00Z',
  ...overrides,
})
