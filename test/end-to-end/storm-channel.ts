import type { Message } from '../../src/answer/block-kit.ts'
import { messageText } from '../answer/message-text.ts'
import type { Shown } from '../fakes/slack-server.ts'
import type { FailingOwner } from './storm-cluster.ts'

/** What a channel tells of one owner. */
export interface Told {
  /** Messages of its own. */
  readonly answers: number
  /** Lines in digests. */
  readonly rows: number
  /** How many of its pods are said to fail, as far as the answer or the row says; the most of them. */
  readonly pods: number
}

const readable = ({ text, blocks }: Shown): string =>
  `${text}\n${messageText({ text, blocks: blocks as Message['blocks'] })}`

/** Whether a message tells of a storm. */
export const isDigest = ({ text }: Shown): boolean => text.includes('Alert storm')

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

const others = /The same in (\d+) more pods?|Also, in (\d+) pods?|Alerts also name (\d+) pods?/g

/** An answer explains one pod, and counts those of the same owner that it stands for. */
const podsInAnswer = (answer: Shown): number =>
  1 + sum([...readable(answer).matchAll(others)].map(([, same, also, named]) => Number(same ?? also ?? named)))

const rowsOf = (digest: Shown, { name, namespace }: FailingOwner): string[] =>
  readable(digest)
    .split('\n')
    .filter(line => line.startsWith('• ') && line.includes(`Deployment ${name} `) && line.includes(namespace))

/** What the channel's first messages say of an owner. */
export const toldOf = (channel: readonly Shown[], owner: FailingOwner): Told => {
  const digests = channel.filter(isDigest)
  const answers = channel.filter(each => !isDigest(each) && readable(each).includes(`${owner.name}-`))
  const rows = digests.flatMap(digest => rowsOf(digest, owner))
  const counted = rows.map(row => Number(/(\d+) pods?\b/.exec(row)?.[1] ?? 0))
  return {
    answers: answers.length,
    rows: rows.length,
    pods: Math.max(0, ...answers.map(podsInAnswer), ...counted),
  }
}

/** All messages, replies included. */
export const messagesIn = (channel: readonly Shown[]): Shown[] => channel.flatMap(each => [each, ...each.thread])
