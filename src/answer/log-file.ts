import type { Message } from './block-kit.ts'
import { code, plain, sentence } from './inline.ts'
import { notice } from './notices.ts'
import { escapeSlack } from './rich-text.ts'
import { runName } from './run-name.ts'

/** A log that is shared as a file. */
export interface LogFile {
  readonly container: string
  /** `shop/web-1`. */
  readonly pod: string
  readonly cluster: string
  /** 0 the first run. */
  readonly restart: number
  /** Whether it is the run that the answer explains. */
  readonly isExplained: boolean
  readonly lines: number
  readonly bytes: number
  readonly omittedBytes: number
  readonly redacted: number
  /** Why its end is missing. */
  readonly cut: string | null
}

const size = (bytes: number): string => {
  if (bytes < 1024) return `${bytes} bytes`
  return bytes < 1024 * 1024 ? `${(bytes / 1024).toFixed(1)} KiB` : `${(bytes / 1024 / 1024).toFixed(1)} MiB`
}

/** What stands above the file, escaped. */
export const logFileComment = (file: LogFile): string => {
  const { container, pod, cluster, restart, isExplained, lines, bytes, omittedBytes, redacted, cut } = file
  const said = [
    `Log of container ${container} of pod ${pod} (${cluster}), ${runName(restart)}: ${lines} ${lines === 1 ? 'line' : 'lines'}, ${size(bytes)}.`,
    isExplained ? '' : 'It is not the run that the answer explains: that one is not kept any more.',
    omittedBytes > 0 ? `Older ${size(omittedBytes)} are left out.` : '',
    cut === null ? '' : `Its end is missing: ${cut}.`,
    redacted === 0 ? 'No secret was found in it.' : `${redacted} ${redacted === 1 ? 'secret' : 'secrets'} removed.`,
  ]
  return escapeSlack(said.filter(part => part !== '').join(' '))
}

/** There is no log to share. `why`: the kubelet's reason; null: the run wrote nothing. */
export const noLog = (container: string, restart: number, why: string | null): Message =>
  why === null
    ? notice(plain(`In ${runName(restart)} `), code(container), plain(' wrote nothing.'))
    : notice(plain(`There is no log of ${runName(restart)} of `), code(container), plain(': '), ...sentence(why))
