import type { Message } from './block-kit.ts'
import { duration } from './duration.ts'
import { code, type Inline, plain, sentence, time } from './inline.ts'
import { tail } from './log-section.ts'
import { notice } from './notices.ts'
import { notification } from './notification.ts'
import { runName } from './run-name.ts'
import { sectionBlocks } from './section-blocks.ts'
import { answerBudget } from './slack-limits.ts'

/** A run of a container before the one that is explained. Times are RFC 3339. */
export interface EarlierRun {
  readonly container: string
  /** 0 the first. */
  readonly restart: number
  /** Null: the pod does not tell any more. */
  readonly exit: {
    readonly code: number
    readonly reason: string
    readonly startedAt: string | null
    readonly finishedAt: string | null
  } | null
  /** Without their times. */
  readonly lines: readonly string[]
  readonly redacted: number
  /** Why there is no log. */
  readonly missing: string | null
}

const exitLine = ({ exit }: EarlierRun): Inline[] => {
  if (exit === null) return [plain('How it ended the pod does not tell any more.')]
  const { code: number, reason, startedAt, finishedAt } = exit
  const seconds = (Date.parse(finishedAt ?? '') - Date.parse(startedAt ?? '')) / 1000
  const until = time(finishedAt, 'day')
  return [
    plain(`It exited with ${number}${reason === '' ? '' : ` (${reason})`}`),
    ...(Number.isFinite(seconds) && seconds >= 0 && Date.parse(startedAt ?? '') > 0
      ? [plain(` after ${duration(seconds)}`)]
      : []),
    ...(until.length === 0 ? [] : [plain(', at '), ...until]),
    plain('.'),
  ]
}

/** How an earlier run ended, and the last it wrote. */
export const earlierAnswer = (run: EarlierRun): Message => {
  const { container, restart, lines, redacted, missing } = run
  const budget = { lines: answerBudget.logLines, characters: answerBudget.logCharacters }
  const shown = tail(lines, { ...budget, lineCharacters: answerBudget.logLine })
  const name = runName(restart)
  const title = [plain(`${name.charAt(0).toUpperCase()}${name.slice(1)} of `), code(container)]
  const secrets = redacted === 0 ? '' : ` ${redacted} ${redacted === 1 ? 'secret' : 'secrets'} removed.`
  const wrote: Inline[] =
    missing !== null
      ? sentence(` Its log cannot be had: ${missing}`)
      : [
          plain(
            shown.length === 0 ? ' It wrote nothing.' : ` The last ${shown.length} of ${lines.length} lines.${secrets}`,
          ),
        ]
  const blocks = sectionBlocks({ kind: 'log', title, about: [...exitLine(run), ...wrote], lines: shown })
  return { text: notification(...title), blocks }
}

/** The kubelet has removed it. */
export const runNotKept = (container: string, restart: number): Message =>
  notice(
    plain(`${restart < 0 ? 'There is no earlier run' : `The log of ${runName(restart)}`} of `),
    code(container),
    plain(
      restart < 0
        ? ': it has run once.'
        : ' is not kept any more: of each container the kubelet keeps the newest run and the one before.',
    ),
  )
