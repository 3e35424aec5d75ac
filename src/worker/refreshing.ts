import { plain } from '../answer/inline.ts'
import { notice } from '../answer/notices.ts'
import { refreshed } from '../answer/refreshed.ts'
import type { Question } from '../queue/job.ts'
import { deliverAnswer } from '../slack/deliver.ts'
import type { Poster } from '../slack/poster.ts'
import { MessageGone } from '../slack/slack-error.ts'
import type { AnswerAbout } from './answer-records.ts'
import type { Clusters } from './clusters.ts'
import type { Answer } from './explaining.ts'
import { goneNotice, pressedPod } from './pressed-pod.ts'
import { tellPresser } from './tell-presser.ts'

export interface RefreshingOptions {
  readonly clusters: Clusters
  readonly poster: Poster
  answer(question: Question, signal: AbortSignal): Promise<Answer | null>
  readonly command: string
  readonly now: () => number
}

/** Of an answer that has become shorter. */
const noLonger = notice(plain('Not part of the answer any more since it was refreshed.'))

/** Makes an answer anew in its place: about the same pod, or, where that is gone, about its owner's. */
export const refreshing = ({ clusters, poster, answer, command, now }: RefreshingOptions) => {
  /** Parts of the thread that the answer had and has no more. */
  const retire = async (question: string, from: number): Promise<void> => {
    for (let at = from; ; at++) {
      const place = await poster.posted(question, `thread-${at}`)
      if (place === null) return
      await poster.update({ ...place, message: noLonger }).catch((error: unknown) => {
        if (!(error instanceof MessageGone)) throw error
      })
    }
  }

  return async (question: Question, about: AnswerAbout, signal: AbortSignal): Promise<void> => {
    const { target, owner } = about
    const alternatives = owner && about.uid !== null ? [{ ...target, ...owner }] : []
    const again: Question = { ...question, id: about.question, want: 'answer', about: null, target, alternatives }
    const made = await answer(again, signal)
    if (made === null) {
      const options = { cluster: clusters.of(target), command, signal }
      // Nothing to explain may also be a refusal, or a cluster that is away.
      const found = await pressedPod(about, options)
      return tellPresser(poster, question, 'notice' in found ? found.notice : await goneNotice(about, options))
    }
    const root = refreshed(made.root, { userId: question.userId, at: new Date(now()).toISOString() })
    const isPosted = (await poster.posted(about.question, 'root')) !== null
    await deliverAnswer({
      // What only one user was shown cannot be edited: it is shown anew.
      question: isPosted ? again : { ...again, id: question.id },
      ...{ poster, placeholder: null },
      answer: async () => ({ root, thread: made.thread }),
    })
    if (isPosted) await retire(about.question, made.thread.length)
  }
}
