import { type Logger as BoltLogger, LogLevel } from '@slack/bolt'
import type { Logger } from 'pino'

/** Bolt's and web-api's log lines in ours. Their debug lines hold whole payloads, so they are ours at level trace. */
export function boltLogger(log: Logger): BoltLogger {
  const line = (parts: unknown[]): [{ err: Error } | object, string] => {
    const err = parts.find(part => part instanceof Error)
    return [
      err === undefined ? {} : { err },
      parts
        .filter(part => part !== err)
        .map(String)
        .join(' ') || 'Slack',
    ]
  }
  return {
    debug: (...parts: unknown[]) => log.isLevelEnabled('trace') && log.trace(...line(parts)),
    info: (...parts: unknown[]) => log.info(...line(parts)),
    warn: (...parts: unknown[]) => log.warn(...line(parts)),
    error: (...parts: unknown[]) => log.error(...line(parts)),
    getLevel: () => (log.isLevelEnabled('trace') ? LogLevel.DEBUG : LogLevel.INFO),
    setLevel: () => {},
    setName: () => {},
  }
}
