import { setImmediate as otherWork } from 'node:timers/promises'
import type { JsonObject, PodSnapshot } from '../diagnosis/snapshot.ts'
import { redact } from '../redaction/redact.ts'

/** So much is redacted at once: what else the process does must not wait long. */
const PIECE = 256 * 1024
/** A key in several lines is not cut; the longest has about 12 kB, and times in front of its lines. */
const LONGEST_KEY = 48 * 1024
const MARKER = '[redacted]'

const occurrences = (text: string): number => text.split(MARKER).length - 1

/** A line that is longer than this is cut at a gap. */
const LONGEST_LINE = 2 * 1024 * 1024

const lineEnd = (text: string, start: number): number => {
  const before = text.lastIndexOf('\n', start + PIECE)
  if (before > start) return before + 1
  const after = text.indexOf('\n', start + PIECE)
  if (after !== -1 && after < start + LONGEST_LINE) return after + 1
  const gap = text.lastIndexOf(' ', start + LONGEST_LINE)
  return gap > start ? gap + 1 : Math.min(start + LONGEST_LINE, text.length)
}

/** Where the piece from `start` on ends: after a line, and not within a private key. */
const endOf = (text: string, start: number): number => {
  if (text.length - start <= PIECE) return text.length
  const end = lineEnd(text, start)
  const begun = text.lastIndexOf('-----BEGIN ', end)
  if (begun < Math.max(start, end - LONGEST_KEY)) return end
  const close = text.indexOf('-----END ', begun)
  if (close < end || close > begun + LONGEST_KEY) return end
  const after = text.indexOf('\n', close)
  return after === -1 ? text.length : after + 1
}

/**
 * A long log without credentials – those of known shapes, and the values that the pod's own spec gives away – and how many
 * were removed. Lets other work in between.
 */
export const redactLog = async (
  text: string,
  { pod, namespace }: { pod: JsonObject | null; namespace: string },
): Promise<{ text: string; redacted: number }> => {
  const spec: JsonObject | null = pod && { spec: pod['spec'] }
  const pieces: string[] = []
  let redacted = 0
  for (let start = 0; start < text.length; ) {
    const end = endOf(text, start)
    const piece = text.slice(start, end)
    const snapshot: PodSnapshot = {
      ...{ kind: 'PodSnapshot', takenAt: null, server: null, namespace, target: '', pod: spec, events: [] },
      ...{ logs: { log: { current: piece, previous: null } }, related: {}, unread: [] },
    }
    const clean = (await redact(snapshot)).logs['log']?.current ?? ''
    redacted += occurrences(clean) - occurrences(piece)
    pieces.push(clean)
    start = end
    await otherWork()
  }
  return { text: pieces.join(''), redacted: Math.max(0, redacted) }
}
