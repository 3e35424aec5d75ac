import type { Command, Evidence } from '../diagnosis.ts'
import { targetOf } from '../pod-makers.ts'
import { code } from '../rule.ts'
import type { View } from '../view.ts'

/** What a refusal of the API server means. */
export interface RefusalClass {
  readonly id: string
  readonly container?: string | null
  /** Sentence part after `…: `. */
  readonly what: string
  readonly fix: readonly string[]
  readonly avoid?: readonly string[]
  readonly evidence?: readonly Evidence[]
  readonly commands?: readonly Command[]
  readonly isLikely?: boolean
}

/** Where the template is changed. */
export const home = (view: View): string => {
  const target = targetOf(view)
  return target ? `${target.kind} ${code(target.name)}` : 'the template'
}
