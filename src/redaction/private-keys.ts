import type { Detector, Range } from './ranges.ts'

const MARK = /-----(BEGIN|END) [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g
/** The longest block that is taken for one key: 16384-bit RSA has about 12 kB, timestamps come on top. */
const LONGEST = 40_000
/** What a log puts in front of every line: a time, the runtime's stream tag, a quotation. */
const PREFIX = /^(?:[^\s\0]{0,40}\d\d:\d\d[^\s\0]{0,24}[ \t]+)?(?:std(?:out|err) [FP] )?(?:[ \t"'|>]|\\+[nr])*/
/** A line that is key and nothing else; with the line breaks of a quoted key that is cut off. */
const KEY_LINE = /^(?:[A-Za-z0-9+/=]|\\+[nr](?!\s*$))+(?=(?:\\+[nr]|["',\s])*$)/
const KEY_TAIL = /(?<![A-Za-z0-9+/=])[A-Za-z0-9+/=]{40,}$/
const BREAK = /(?:\\+[nr]|\s)$/
const KEY_HEADER = /^(?:Proc-Type|DEK-Info|Version|Comment|Hash): /

/** The key's part of one line, after time and stream tag; null for a line of something else in between. */
const keyPart = (line: string, offset: number, shortest: number): Range | null => {
  const prefix = PREFIX.exec(line)?.[0].length ?? 0
  const rest = line.slice(prefix)
  if (KEY_HEADER.test(rest)) return { start: offset + prefix, end: offset + line.length }
  const whole = KEY_LINE.exec(rest)
  const body = whole?.[0] ?? KEY_TAIL.exec(rest)?.[0]
  if (body === undefined || body.length < shortest) return null
  const start = offset + (whole === null ? line.length - body.length : prefix)
  return { start, end: start + body.length }
}

/** Key parts of the lines of `text[from, to)`; with `stopAtOther` only up to the first line that has none. */
const keyLines = (text: string, from: number, to: number, stopAtOther: boolean): Range[] => {
  const ranges: Range[] = []
  let offset = from
  for (const line of text.slice(from, to).split('\n')) {
    const part = keyPart(line, offset, stopAtOther ? 16 : 1)
    if (part !== null) ranges.push(part)
    else if (stopAtOther && line.trim() !== '') break
    offset += line.length + 1
  }
  return ranges
}

/** All between the marks of a key that stands on one line, its line breaks written as `\n`. */
const oneLine = (text: string, from: number, to: number): Range => {
  const start = from + (/^(?:\\+[nr]|\s)*/.exec(text.slice(from, to))?.[0].length ?? 0)
  let end = to
  for (
    let tail: string | undefined = '';
    tail !== undefined;
    tail = BREAK.exec(text.slice(Math.max(start, end - 8), end))?.[0]
  ) {
    end -= tail.length
  }
  return { start, end }
}

/** Lines of a key whose beginning the log no longer has: those right before its end mark. */
const headless = (text: string, end: number, floor: number): Range[] => {
  const ranges: Range[] = []
  const lines = text.slice(floor, end).split('\n')
  let lineEnd = end - (lines.pop()?.length ?? 0) - 1
  for (const line of lines.toReversed()) {
    const part = keyPart(line, lineEnd - line.length, ranges.length === 0 ? 1 : 16)
    if (part === null) break
    ranges.push(part)
    lineEnd -= line.length + 1
  }
  return ranges
}

const isOneBlock = (text: string, from: number, to: number): boolean =>
  to - from <= LONGEST && !text.slice(from, to).includes('\0')

/** PEM private keys, also over the lines of a log, cut at its beginning or end. The marks, times and line breaks stay. */
export const privateKeys: Detector = text => {
  if (!text.includes('PRIVATE KEY')) return []
  const marks = [...text.matchAll(MARK)].map(match => ({
    isBegin: match[1] === 'BEGIN',
    start: match.index,
    end: match.index + match[0].length,
  }))
  return marks.flatMap((mark, index) => {
    const previous = marks[index - 1]
    const next = marks[index + 1]
    if (!mark.isBegin) {
      if (previous?.isBegin && isOneBlock(text, previous.end, mark.start)) return []
      return headless(text, mark.start, Math.max(previous?.end ?? 0, mark.start - LONGEST))
    }
    if (next === undefined || next.isBegin || !isOneBlock(text, mark.end, next.start)) {
      const limit = Math.min(next?.start ?? text.length, mark.end + LONGEST)
      return keyLines(text, mark.end, limit, true)
    }
    if (!text.slice(mark.end, next.start).includes('\n')) return [oneLine(text, mark.end, next.start)]
    return keyLines(text, mark.end, next.start, false)
  })
}
