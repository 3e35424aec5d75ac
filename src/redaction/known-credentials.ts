import { MARKER } from './ranges.ts'
import { looksRandom } from './sensitive-name.ts'

const SHORTEST = 8
const MOST = 50

/**
 * Credentials that are told apart well enough to be looked for in other texts: a log may print the value of a variable
 * without its name. Words, and what is also part of a name of the snapshot, would take ordinary text along.
 */
export const distinctCredentials = (credentials: Iterable<string>, names: readonly string[]): string[] =>
  [...new Set(credentials)]
    .filter(value => value.length >= SHORTEST && looksRandom(value) && !value.includes('\n'))
    .filter(value => !names.some(name => name.includes(value)))
    // A longer one may hold a shorter one.
    .sort((a, b) => b.length - a.length)
    .slice(0, MOST)

/** The text with every known credential replaced. */
export const withoutKnown = (text: string, credentials: readonly string[]): string =>
  credentials.reduce((rest, credential) => rest.replaceAll(credential, MARKER), text)
