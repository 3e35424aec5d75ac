import type { Confidence } from './diagnosis.ts'
import type { Draft } from './rule.ts'

const CERTAINTY: Readonly<Record<Confidence, number>> = { certain: 0, likely: 1, possible: 2 }

/**
 * Findings in the order they are told: a cause outranks a symptom, then certainty, then the order in which they came –
 * the container that blocks start-up first.
 */
export const rank = (drafts: readonly Draft[]): readonly Draft[] =>
  drafts
    .map((draft, order) => ({ draft, order }))
    .sort(
      (a, b) =>
        Number(a.draft.isSymptom ?? false) - Number(b.draft.isSymptom ?? false) ||
        CERTAINTY[a.draft.confidence] - CERTAINTY[b.draft.confidence] ||
        a.order - b.order,
    )
    .map(({ draft }) => draft)
