import { describe, expect, it } from 'vitest'
import { Question, type Target } from '../../src/queue/job.ts'
import { questionId, targetText } from '../../src/slack/question.ts'
import { aQuestion } from './a-question.ts'

const target: Target = { cluster: null, namespace: 'shop', kind: null, name: 'web-1' }
const asked = { teamId: 'T1', channelId: 'C1', trigger: '1714.5', target }

describe('the id of a question', () => {
  it('is one that a question and a job may have', () => {
    expect(Question.safeParse(aQuestion({ id: questionId(asked) })).success).toBe(true)
  })

  it('is the same for the same delivery', () => {
    expect(questionId({ ...asked, target: { ...target } })).toBe(questionId(asked))
  })

  it.each([
    { teamId: 'T2' },
    { channelId: 'C2' },
    { trigger: '1714.6' },
    { target: { ...target, cluster: 'prod' } },
    { target: { ...target, namespace: 'shop2' } },
    { target: { ...target, kind: 'Deployment' } },
    { target: { ...target, name: 'web-2' } },
    { teamId: 'T1C', channelId: '1' },
  ])('differs with %j', change => {
    expect(questionId({ ...asked, ...change })).not.toBe(questionId(asked))
  })
})

it.each([
  [target, 'shop/web-1'],
  [{ ...target, kind: 'Namespace', name: 'shop' }, 'shop/'],
  [
    { ...target, kind: 'Deployment', cluster: 'arn:aws:eks:eu:1:cluster/prod' },
    'arn:aws:eks:eu:1:cluster/prod:shop/Deployment/web-1',
  ],
])('a target reads as it is typed', (parsed, text) => {
  expect(targetText(parsed)).toBe(text)
})
