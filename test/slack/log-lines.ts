import { pino } from 'pino'

export type Line = { level: number; msg: string } & Record<string, unknown>

/** A logger, and the lines it wrote. */
export function logLines() {
  const lines: Line[] = []
  return { lines, log: pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) }) }
}
