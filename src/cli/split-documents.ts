/** A piece of input that holds one value, and the line it starts on. */
export interface Document {
  readonly text: string
  /** 1-based. */
  readonly line: number
  readonly format: 'json' | 'yaml'
}

/** A piece that cannot be one. */
export interface BadDocument {
  readonly problem: string
  readonly line: number
}

/** Longest document, in UTF-16 units: more would not fit into memory several times over. */
export const LONGEST_DOCUMENT = 64 * 1024 * 1024

interface Line {
  readonly text: string
  readonly number: number
  readonly isTooLong: boolean
}

async function* decode(source: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined
  for await (const chunk of source) {
    if (decoder === undefined) {
      const [first, second] = chunk
      // What PowerShell writes for `>`.
      decoder = new TextDecoder(first === 0xff && second === 0xfe ? 'utf-16le' : 'utf-8')
    }
    yield decoder.decode(chunk, { stream: true })
  }
}

/** Lines without their ends; of a line that is too long only the beginning. */
async function* linesOf(source: AsyncIterable<Uint8Array>, longest: number): AsyncGenerator<Line> {
  let number = 1
  let parts: string[] = []
  let length = 0
  const add = (part: string) => {
    if (length <= longest) parts.push(part)
    length += part.length
  }
  const take = (): Line => {
    const line = { text: parts.join('').replace(/\r$/, ''), number, isTooLong: length > longest }
    parts = []
    length = 0
    number += 1
    return line
  }
  for await (const text of decode(source)) {
    let from = 0
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', from)) {
      add(text.slice(from, end))
      yield take()
      from = end + 1
    }
    add(text.slice(from))
  }
  if (length > 0) yield take()
}

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Cuts JSON that is spread over lines into its top-level values, and a top-level array into its elements. */
const jsonSplitter = () => {
  let depth = 0
  let base = 0
  let isInString = false
  let isEscaped = false
  let startLine = 0
  let parts: string[] = []
  return {
    pending: () => (parts.length > 0 ? { text: parts.join('\n'), line: startLine, format: 'json' as const } : null),
    reset: () => {
      depth = base = 0
      isInString = isEscaped = false
      parts = []
    },
    push(text: string, number: number): Document[] {
      const done: Document[] = []
      let from = parts.length > 0 ? 0 : -1
      const open = (at: number) => {
        if (from !== -1) return
        from = at
        startLine = number
      }
      const close = (at: number) => {
        if (from === -1) return
        parts.push(text.slice(from, at))
        done.push({ text: parts.join('\n'), line: startLine, format: 'json' })
        parts = []
        from = -1
      }
      for (let at = 0; at < text.length; at += 1) {
        const character = text.charCodeAt(at)
        if (isInString) {
          if (isEscaped) isEscaped = false
          else if (character === 92) isEscaped = true
          else if (character === 34) isInString = false
        } else if (character === 34) {
          isInString = true
          open(at)
        } else if (character === 91 && depth === 0 && from === -1) {
          depth = base = 1
        } else if (character === 123 || character === 91) {
          open(at)
          depth += 1
        } else if (character === 125 || character === 93) {
          depth -= 1
          if (base === 1 && depth === 0) {
            close(at)
            base = 0
          } else if (depth <= base) close(at + 1)
          if (depth < 0) depth = base = 0
        } else if (character === 44 && depth === base) {
          close(at)
        } else if (character > 32) open(at)
      }
      if (from !== -1) parts.push(text.slice(from))
      return done
    },
  }
}

/** Bytes that are no text: a NUL, but for the few that a log in a JSON string may hold. */
const isBinary = (text: string): boolean => {
  if (!text.includes('\0')) return false
  const isJsonText = /^\s*[[{]/.test(text)
  return !isJsonText || text.split('\0').length > text.length / 10
}

type Mode = 'lines' | 'json' | 'yaml'

const modeOf = (first: Line, second: Line | undefined): Mode => {
  // What comes before a whole object on a line of its own is a line as well, if a bad one – but for what opens a
  // YAML document or an array.
  const opens = /^(?:\[$|---|[#%])/.test(first.text.trim())
  if (!opens && second?.text.startsWith('{') && isJson(second.text)) return 'lines'
  const start = first.text.trimStart().charAt(0)
  if (start !== '{' && start !== '[') return 'yaml'
  if (start === '[') return 'json'
  // An object over several lines goes on indented or with its end; a line of its own begins at the margin.
  return isJson(first.text) || second?.text.startsWith('{') || second === undefined ? 'lines' : 'json'
}

/**
 * Cuts input into documents while it is read: JSON Lines, JSON values over several lines, elements of a JSON array, or
 * YAML documents. Holds one document at a time.
 */
export async function* splitDocuments(
  source: AsyncIterable<Uint8Array>,
  longest = LONGEST_DOCUMENT,
): AsyncGenerator<Document | BadDocument> {
  const lines = linesOf(source, longest)
  const tooLong = (line: number): BadDocument => ({
    problem: `a document is longer than ${Math.round(longest / 1024 / 1024)} MiB`,
    line,
  })
  const head: Line[] = []
  // Not `for await`: leaving that would close the lines.
  for (let next = await lines.next(); !next.done; next = await lines.next()) {
    const line = next.value
    if (line.text.trim() === '') continue
    if (isBinary(line.text)) return yield { problem: 'is binary, not text', line: line.number }
    head.push(line)
    if (head.length === 2) break
  }
  const [first, second] = head
  if (first === undefined) return
  const mode = modeOf(first, second)
  const json = jsonSplitter()
  let yaml: string[] = []
  let size = 0
  let start = first.number
  const takeYaml = (): Document[] => {
    const text = yaml.join('\n')
    yaml = []
    return /^[^\s#]|^[ \t]+[^\s#]/m.test(text) ? [{ text, line: start, format: 'yaml' }] : []
  }
  const rest = async function* () {
    yield* head
    yield* lines
  }
  let previous = first.number - 1
  for await (const line of rest()) {
    size += line.text.length + 1
    if (mode !== 'lines' && (line.isTooLong || size > longest)) return yield tooLong(start)
    if (mode === 'lines') {
      if (line.isTooLong) yield tooLong(line.number)
      else if (line.text.trim() !== '') yield { text: line.text, line: line.number, format: 'json' }
    } else if (mode === 'json') {
      const documents = json.push(line.text, line.number)
      if (documents.length > 0) size = 0
      yield* documents
    } else if (/^(?:---|\.\.\.)(?:\s|$)/.test(line.text)) {
      yield* takeYaml()
      size = 0
      start = line.number + 1
      yaml.push(line.text.slice(3))
    } else {
      // Empty lines at the beginning are skipped, those inside count.
      yaml.push(...Array.from({ length: Math.max(0, Math.min(1000, line.number - previous - 1)) }, () => ''), line.text)
    }
    previous = line.number
  }
  yield* takeYaml()
  const unfinished = json.pending()
  if (unfinished !== null) yield unfinished
}
