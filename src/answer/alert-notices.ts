import type { Message } from './block-kit.ts'
import { code, plain } from './inline.ts'
import { notice } from './notices.ts'

/** A webhook was too large to be read: what it told is not known. */
export const webhookTooLarge = (limitMiB: number): Message =>
  notice(
    plain(`Alertmanager sent a webhook of more than ${limitMiB} MiB, so its alerts are not answered here. Set `),
    code('max_alerts: 100'),
    plain(' at its '),
    code('webhook_configs'),
    plain(', or let it group them by more labels.'),
  )

/** An alert that stands for several names no pod; the answer is about the worst there is. `namespace`: where it was looked for. */
export const aboutWorst = (namespace: string): Message =>
  notice(
    plain('This alert names no pod. Of the unhealthy pods in namespace '),
    code(namespace),
    plain(' that it may mean this is the worst.'),
  )
