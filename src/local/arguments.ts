/** A Web API call's arguments: strings from a form, or any JSON. */
export type Arguments = Readonly<Record<string, unknown>>

/** An argument that must be a text; undefined without one. */
export function word(given: Arguments, key: string): string | undefined {
  const value = given[key]
  return typeof value === 'string' && value !== '' ? value : undefined
}

export const isTrue = (value: unknown): boolean => value === true || value === 'true' || value === '1'

/** Structured arguments come as JSON text in forms. */
export function structured(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return undefined
  }
}

/** A list's objects; other things in it are left out. */
export const objects = (value: unknown): readonly object[] =>
  Array.isArray(value) ? value.filter(each => typeof each === 'object' && each !== null) : []
