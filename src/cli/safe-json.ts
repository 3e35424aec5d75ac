// What steers a terminal or turns the order of letters round: C1 controls, bidirectional marks, line separators.
const invisible = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g

/** JSON in which such characters stand as `\\uXXXX`: the same value, harmless to look at. `indent` as for JSON.stringify. */
export const safeJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replace(
    invisible,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
