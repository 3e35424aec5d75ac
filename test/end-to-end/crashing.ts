import { readFileSync } from 'node:fs'
import type { PodSnapshot } from '../../src/diagnosis/snapshot.ts'
import type { Shown } from '../fakes/slack-server.ts'

const file = new URL('../recordings/web-frontend-nginx/crash-loop.json', import.meta.url)

/** A recorded pod in CrashLoopBackOff, fresh: it may be changed. */
export const crashing = (): PodSnapshot => JSON.parse(readFileSync(file, 'utf8'))

/** The pod, as one asks about it. */
export const target = 'team-234-we/web-frontend-5f8997cc56-mv5hn'

const headline = /^🔴 web-frontend-5f8997cc56-mv5hn .* CrashLoopBackOff: Container nginx ends by itself/
const details = /^More about web-frontend-5f8997cc56-mv5hn: how we know/

const isWhole = ({ text, edits, thread }: Shown): boolean =>
  headline.test(text) && edits > 0 && thread.length > 0 && thread.every(reply => details.test(reply.text))

/** Whether a channel holds the pod's answer: the root, edited once the answer was made, and the reply below it. */
export const hasAnswer = (channel: readonly Shown[]): boolean => channel.some(isWhole)

/** Whether it holds that and nothing else, each part once. */
export const isAnsweredOnce = (channel: readonly Shown[]): boolean =>
  hasAnswer(channel) && channel.length === 1 && channel[0]?.thread.length === 1
