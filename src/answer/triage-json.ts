import { type JsonAnswer, jsonAnswer } from './json-answer.ts'
import type { Triage, TriageGroup, TriageRow } from './triage.ts'

/** A pod that was not looked into has the cause of the one it looks like, and says so. */
const alikeAnswer = (row: TriageRow, { diagnosis }: TriageGroup): JsonAnswer => {
  const like = jsonAnswer(diagnosis)
  const { status, ready, restarts } = row
  const text = `Not looked into: it has the owner and the state of \`${like.pod}\`.`
  const confidence = like.cause.confidence === 'certain' ? 'likely' : like.cause.confidence
  return {
    ...{ ...like, pod: row.name, uid: null, status, ready, restarts, since: null, exit: null, others: [], log: null },
    ...{ nextRestart: null, commands: [] },
    cause: { ...like.cause, confidence, evidence: [{ source: 'status', text }] },
  }
}

/** One answer for each pod that is not well, and each owner without pods, the worst first. */
export const jsonTriage = ({ groups }: Triage): readonly JsonAnswer[] =>
  groups.flatMap(group => group.rows.map(row => (row.diagnosis ? jsonAnswer(row.diagnosis) : alikeAnswer(row, group))))
