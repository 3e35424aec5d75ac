import { text } from './shape.ts'
import type { ServerVersion } from './snapshot.ts'

/**
 * The releases whose API servers compute STATUS alike: a – up to 1.27, b – 1.28 to 1.30 (sidecars), c – 1.31 to 1.34
 * (finished pods keep their reason while they are deleted), d – 1.35 and later (an error shows beside `Completed`).
 */
export type StatusRules = 'a' | 'b' | 'c' | 'd'

/** `29` of `v1.29.4-eks-036c24b`, else of the minor `29+`; null where neither tells, or for another major than 1. */
export const minorVersion = (server: ServerVersion | null): number | null => {
  const digits =
    /^v?1\.(\d+)/.exec(text(server?.gitVersion) ?? '')?.[1] ??
    (text(server?.major) === '1' ? /^\d+/.exec(text(server?.minor) ?? '')?.[0] : undefined)
  return digits === undefined ? null : Number(digits)
}

/** The rules of a release; of an unknown one the newest. */
export const statusRules = (minor: number | null): StatusRules => {
  if (minor === null || minor >= 35) return 'd'
  if (minor >= 31) return 'c'
  return minor >= 28 ? 'b' : 'a'
}
