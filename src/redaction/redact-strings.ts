import { commands } from './commands.ts'
import { headers } from './headers.ts'
import { pairs } from './pairs.ts'
import { preset } from './preset.ts'
import { privateKeys } from './private-keys.ts'
import { type Detector, MARKER, mergeRanges, type Range, type Replaced, replaceRanges } from './ranges.ts'
import { tokens } from './tokens.ts'
import { urls } from './urls.ts'

const DETECTORS: readonly Detector[] = [privateKeys, urls, headers, commands, pairs, tokens]
/** Between two strings of a batch: no detector reads across a line break that a NUL follows. */
const SEPARATOR = '\n\0\n'

const replaceIn = (texts: readonly string[], ranges: readonly Range[]): Replaced => {
  const merged = mergeRanges(ranges)
  let next = 0
  let offset = 0
  let count = 0
  const replaced = texts.map(text => {
    const end = offset + text.length
    const own: Range[] = []
    for (let range = merged[next]; range !== undefined && range.start < end; range = merged[++next]) {
      const found = { start: range.start - offset, end: Math.min(range.end, end) - offset }
      if (text.slice(found.start, found.end) !== MARKER) own.push(found)
    }
    offset = end + SEPARATOR.length
    count += own.length
    return own.length === 0 ? text : replaceRanges(text, own)
  })
  return { texts: replaced, count }
}

const redactBatch = async (texts: readonly string[]): Promise<Replaced> => {
  const joined = texts.join(SEPARATOR)
  const own = replaceIn(
    texts,
    DETECTORS.flatMap(detect => detect(joined)),
  )
  const rest = own.texts.join(SEPARATOR)
  const found = await preset(rest)
  if (found.length === 0) return own
  const { texts: redacted, count } = replaceIn(own.texts, found)
  return { texts: redacted, count: own.count + count }
}

/** Characters of one batch, unless a single string is longer: some tens of milliseconds. */
const BATCH_LENGTH = 256 * 1024

const batchesOf = (texts: readonly string[]): readonly (readonly string[])[] => {
  const batches: string[][] = [[]]
  let length = 0
  for (const text of texts) {
    if (length > 0 && length + text.length > BATCH_LENGTH) {
      batches.push([])
      length = 0
    }
    batches.at(-1)?.push(text)
    length += text.length
  }
  return batches
}

/**
 * Removes the credentials of many strings, in time linear in their length: podwhy's own detectors first, which know where a
 * credential begins and ends, then secretlint's preset for the kinds they do not know. Between batches others get their turn.
 */
export const redactStrings = async (texts: readonly string[]): Promise<Replaced> => {
  const redacted: string[] = []
  let count = 0
  for (const [index, batch] of batchesOf(texts).entries()) {
    if (index > 0) await new Promise(resolve => setImmediate(resolve))
    const replaced = await redactBatch(batch)
    for (const text of replaced.texts) redacted.push(text)
    count += replaced.count
  }
  return { texts: redacted, count }
}
