/** One line of a log: its own time where the server sent one, and the text as written. */
export interface LogLine {
  readonly at: string | null
  readonly text: string
}

/** How much of a log's end rules look at: more than any stack trace, little enough to stay fast. */
const SCANNED_CHARACTERS = 512 * 1024

const TIMESTAMP = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})) ?/

/** The kubelet answers 200 with one of these lines when the log itself is gone (server.go getContainerLogs). */
const NOT_A_LOG =
  /^(?:unable to retrieve container logs for |failed to try resolving symlinks in path |failed to open log file |failed to get parse function: |failed to tail \d+ lines of log file )/

/** True where a body is the kubelet's excuse instead of the container's output. */
export const isLogExcuse = (body: string): boolean => {
  const trimmed = body.trim()
  return !trimmed.includes('\n') && NOT_A_LOG.test(trimmed)
}

/** CSI and OSC sequences, and single control characters but tab. */
const CONTROL =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it removes
  /\u001b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])|[\u0000-\u0008\u000b-\u001f\u007f]/g

/** Its end from the first whole line on; a single line that is longer than that has none. */
const tailOf = (body: string): string => {
  const from = body.length - SCANNED_CHARACTERS
  if (from <= 0) return body
  const next = body.indexOf('\n', from) + 1
  return body.slice(next === 0 || next === body.length ? from : next)
}

/**
 * The end of a log as lines, oldest first. Standard output and standard error are copied independently, so lines of one
 * instance are put in the order of their own times.
 */
export const logLines = (body: string): readonly LogLine[] => {
  const raw = tailOf(body).split('\n')
  if (raw.at(-1) === '') raw.pop()
  let timed = raw.length > 0
  const lines = raw.map(text => {
    const at = TIMESTAMP.exec(text)
    if (!at) timed = false
    return { at: at?.[1] ?? null, text: (at ? text.slice(at[0].length) : text).replace(CONTROL, '') }
  })
  return timed && lines.length > 1 ? sortedByTime(lines) : lines
}

/** Nanosecond times as text compare right only with equally long fractions. */
const comparable = (at: string): string => {
  const dot = at.indexOf('.')
  return dot < 0
    ? `${at.slice(0, 19)}.000000000`
    : `${at.slice(0, dot)}.${at
        .slice(dot + 1)
        .replace(/\D.*$/, '')
        .padEnd(9, '0')}`
}

const sortedByTime = (lines: readonly { at: string | null; text: string }[]): readonly LogLine[] =>
  lines
    .map((line, index) => ({ line, index, key: comparable(line.at ?? '') }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.index - b.index))
    .map(({ line }) => line)
