/** A stretch of a text that is a credential: UTF-16 offsets, end exclusive. */
export interface Range {
  readonly start: number
  readonly end: number
}

/** Finds credentials in a text; ranges in any order, overlaps allowed. Must run in time linear in the text. */
export type Detector = (text: string) => Range[]

/** What stands where a credential stood. */
export const MARKER = '[redacted]'

/** Texts with their ranges replaced, and how many were. */
export interface Replaced {
  readonly texts: string[]
  readonly count: number
}

/** Sorted, overlapping and touching ranges joined, empty ones dropped. */
export const mergeRanges = (ranges: readonly Range[]): Range[] => {
  const merged: Range[] = []
  for (const range of [...ranges].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = merged.at(-1)
    if (range.end <= range.start) continue
    if (last !== undefined && range.start <= last.end) {
      merged[merged.length - 1] = { start: last.start, end: Math.max(last.end, range.end) }
    } else merged.push(range)
  }
  return merged
}

/** Replaces each range of one text by the marker; ranges must be merged. */
export const replaceRanges = (text: string, ranges: readonly Range[]): string => {
  const parts: string[] = []
  let at = 0
  for (const { start, end } of ranges) {
    parts.push(text.slice(at, start), MARKER)
    at = end
  }
  parts.push(text.slice(at))
  return parts.join('')
}
