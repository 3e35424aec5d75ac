import type { Diagnosis } from './diagnosis.ts'
import type { PodSnapshot, Request } from './snapshot.ts'

/** A diagnosis, and what more the rules would like to see; with nothing more to see, the diagnosis is final. */
export interface Diagnosed {
  readonly diagnosis: Diagnosis
  readonly requests: readonly Request[]
}

/** Explains one snapshot. Pure, never throws: what is missing or malformed is named, not guessed. */
export const diagnose = (_snapshot: PodSnapshot): Diagnosed => {
  throw new Error('under construction')
}
