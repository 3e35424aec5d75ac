import type { Command, Evidence } from './diagnosis.ts'

/** What people assume wrongly about a headline, said once: added to its summary with its evidence. */
export interface Note {
  /** Null: the evidence says it all. */
  readonly text: string | null
  readonly evidence: readonly Evidence[]
  /** What to do before all else. */
  readonly first?: string
  readonly commands?: readonly Command[]
}
