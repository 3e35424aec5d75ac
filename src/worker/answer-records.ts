import type { Message } from '../answer/block-kit.ts'
import type { ButtonsOf } from '../answer/buttons.ts'
import { kubectlCommand } from '../answer/kubectl-command.ts'
import type { Diagnosis } from '../diagnosis/diagnosis.ts'
import type { Target } from '../queue/job.ts'

/** What an answer is about, as its buttons carry it. */
export interface AnswerAbout {
  /** Id of the question it answers. */
  readonly question: string
  /** Its pod; where there is none, the owner. */
  readonly target: Target
  readonly uid: string | null
  /** The container to blame. */
  readonly container: string | null
  /** Which run of that container it explains, 0 the first; null: that cannot be told. */
  readonly restart: number | null
  /** Whether there is a run before that one whose log the kubelet may still have. */
  readonly hasEarlier: boolean
  /** The workload whose pod it is; null: none. */
  readonly owner: { readonly kind: string; readonly name: string } | null
  readonly isHealthy: boolean
  /** Whether the container has written a log that can be read. */
  readonly hasLog: boolean
}

/** What must be known of an answer when it is edited, or one of its buttons is pressed. */
export interface AnswerRecord {
  /** The first message, as it was made: without what has become of it since, and without buttons. */
  readonly root: Message
  readonly about: AnswerAbout
  readonly commands: ButtonsOf['commands']
}

type Store = {
  get(key: string): Promise<string | null>
  put(key: string, value: string, ttlMs: number): Promise<void>
}

/** The record of an answer that is about to be posted. `target`: what was read. */
export const answerRecord = (
  { question, target, root }: { question: string; target: Target; root: Message },
  diagnosis: Diagnosis,
): AnswerRecord => ({
  root,
  about: {
    question,
    target: diagnosis.pod === null ? target : { ...target, kind: 'Pod', name: diagnosis.pod },
    uid: diagnosis.uid,
    container: diagnosis.container?.name ?? null,
    restart: diagnosis.log?.restart ?? null,
    // Of a container the kubelet keeps two runs.
    hasEarlier: (diagnosis.container?.restartCount ?? 0) > 0 && diagnosis.log?.instance !== 'previous',
    owner: diagnosis.owner,
    isHealthy: diagnosis.healthy,
    hasLog: diagnosis.log !== null && diagnosis.log.missing === null,
  },
  commands: diagnosis.commands.map(({ purpose, argv, changes }) => ({
    ...{ purpose, changes },
    command: kubectlCommand(argv),
  })),
})

const KEPT_MS = 7 * 24 * 60 * 60_000

/** Answers by their question's id, kept for a week. */
export const answerRecords = (store: Store) => ({
  /** Null: there was none, or it is older than a week. */
  async get(question: string): Promise<AnswerRecord | null> {
    const text = await store.get(`answer:${question}`)
    return text === null ? null : JSON.parse(text)
  },
  async put(question: string, record: AnswerRecord): Promise<void> {
    await store.put(`answer:${question}`, JSON.stringify(record), KEPT_MS)
  },
})
export type AnswerRecords = ReturnType<typeof answerRecords>
