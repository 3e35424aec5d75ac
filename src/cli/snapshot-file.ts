import { createReadStream, statSync } from 'node:fs'
import type { PodSnapshot } from '../diagnosis/snapshot.ts'
import { type Document, splitDocuments } from './split-documents.ts'
import { NotExplainable, toEntries } from './to-snapshots.ts'
import { UsageError } from './usage-error.ts'

/** A snapshot of a file, or why there is none in its place. */
export type FileEntry =
  | { readonly snapshot: PodSnapshot; readonly line: number }
  /** `error` names neither file nor line. */
  | { readonly error: string; readonly line: number }

const parseDocument = async ({ text, format }: Document): Promise<unknown> => {
  // JSON wants a NUL of a log escaped.
  if (format === 'json') return JSON.parse(text.replaceAll('\0', '\\u0000'))
  const { parse } = await import('yaml')
  // The core schema keeps times as text; a few aliases are usual, thousands are an attack.
  return parse(text, { maxAliasCount: 1000, logLevel: 'error' })
}

/** A parser's message as the end of `not JSON: …`, its first line, without the text around the place. */
const reason = (error: unknown, text: string): string => {
  const [first = ''] = (error as Error).message.split('\n')
  if (/^Unexpected end|^Unterminated|^Expected .* at end/.test(first)) return 'it ends too early'
  const position = /at position (\d+)/.exec(first)?.[1]
  const quoted = first
    .replace(/, (?:\.\.\.)?".*$/s, '')
    .replace(/ in JSON at position.*$/, '')
    .replace(/:$/, '')
  return position !== undefined && Number(position) >= text.length ? 'it ends too early' : quoted
}

/** Reads what an input holds, one entry after the other, in order; only one document is in memory at a time. */
export async function* readSnapshots(source: AsyncIterable<Uint8Array>): AsyncGenerator<FileEntry> {
  for await (const document of splitDocuments(source)) {
    const { line } = document
    if ('problem' in document) {
      yield { error: document.problem, line }
      continue
    }
    let value: unknown
    try {
      value = await parseDocument(document)
    } catch (error) {
      yield { error: `not ${document.format.toUpperCase()}: ${reason(error, document.text)}`, line }
      continue
    }
    try {
      for (const entry of toEntries(value)) {
        yield entry instanceof NotExplainable ? { error: entry.message, line } : { snapshot: entry, line }
      }
    } catch (error) {
      // Nesting deeper than any object of Kubernetes overflows the stack.
      if (!(error instanceof RangeError)) throw error
      yield { error: 'nested too deeply', line }
    }
  }
}

/** Opens a file for reading. Throws UsageError for one that is missing, a directory, or may not be read. */
export const openFile = (path: string): AsyncIterable<Uint8Array> => {
  try {
    if (statSync(path).isDirectory()) throw new UsageError(`${path} is a directory; name a file, or - for stdin`)
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(
      `${path}: ${(error as NodeJS.ErrnoException).code === 'ENOENT' ? 'no such file' : (error as Error).message}`,
    )
  }
  return createReadStream(path)
}
