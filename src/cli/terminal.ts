/** Where a command reads from and writes to. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdin: AsyncIterable<Uint8Array>
  /** Waits where the reader is slower. */
  readonly print: (text: string) => Promise<void>
  /** A line for a person, on stderr. */
  readonly say: (line: string) => void
  /** Whether answers go to a terminal, and how wide it is. */
  readonly isTerminal: boolean
  readonly columns: number | undefined
}

/** Exit status: healthy or completed · anything else, explained · usage, unknown target, nothing could be read. */
export type ExitStatus = 0 | 1 | 2

/** `text` as one line, without anything that steers a terminal. */
export const oneLine = (text: string): string =>
  text
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()
    .slice(0, 600)
