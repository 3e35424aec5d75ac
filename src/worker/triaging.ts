import { setImmediate } from 'node:timers/promises'
import type { Message } from '../answer/block-kit.ts'
import { type Choice, choice } from '../answer/choice.ts'
import type { SlackAnswer } from '../answer/slack-answer.ts'
import { type DiagnosedCase, type Triage, triageOf } from '../answer/triage.ts'
import { slackTriage } from '../answer/triage-answer.ts'
import { diagnose } from '../diagnosis/diagnose.ts'
import type { NamespaceSnapshot } from '../diagnosis/namespace-snapshot.ts'
import type { Target } from '../queue/job.ts'
import { redact } from '../redaction/redact.ts'
import { targetText } from '../slack/question.ts'
import type { AnyCluster } from './clusters.ts'

/** What was read about a namespace, without secrets, as groups. */
export const triageNamespace = async (read: NamespaceSnapshot): Promise<Triage> => {
  const { cases, ...namespace } = await redact(read)
  const diagnosed: DiagnosedCase[] = []
  for (const { snapshot, alike } of cases) {
    // Questions to other people wait for their acknowledgement meanwhile.
    await setImmediate()
    diagnosed.push({ diagnosis: diagnose(snapshot).diagnosis, alike })
  }
  return triageOf(namespace, diagnosed)
}

/** The answer about a whole namespace (`target.kind` is `Namespace`). Throws what the cluster throws. */
export const triage = async (
  cluster: AnyCluster,
  target: Target,
  signal: AbortSignal,
): Promise<{ readonly triage: Triage; readonly answer: SlackAnswer }> => {
  const found = await triageNamespace(await cluster.triage(target.namespace, { signal }))
  return { triage: found, answer: slackTriage(found, target) }
}

/** `error.choices`, where it has any: what may have been meant, in the cluster that was asked. */
const choicesIn = (error: Error): readonly Omit<Target, 'cluster'>[] =>
  'choices' in error && Array.isArray(error.choices) ? error.choices : []

const labelOf = ({ namespace, kind, name }: Omit<Target, 'cluster'>, asked: Target): string => {
  const here = namespace === asked.namespace ? '' : `${namespace}/`
  if (kind === 'Namespace') return `${name}/`
  return `${here}${kind === null || kind === 'Pod' ? '' : `${kind}/`}${name}`
}

/**
 * What is said instead of an answer, with a menu of what may have been meant, as far as it may be asked about.
 * @param why the error's message, without secrets
 */
export const askBack = (
  error: Error,
  why: string,
  asked: Target,
  isAllowed: (namespace: string) => boolean = () => true,
): Message => {
  const choices = choicesIn(error)
    .filter(({ namespace }) => isAllowed(namespace))
    .map((each): Choice => ({ label: labelOf(each, asked), target: targetText({ ...each, cluster: asked.cluster }) }))
  return choice(why, choices)
}
