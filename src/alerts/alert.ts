import { z } from 'zod'

/** One alert as Alertmanager knows it. */
export const Alert = z.object({
  status: z.enum(['firing', 'resolved']),
  labels: z.record(z.string(), z.string()),
  /** RFC 3339. */
  startsAt: z.string(),
  /** Hash of the labels: the same for as long as the alert is the same. */
  fingerprint: z.string().min(1),
})
export type Alert = z.infer<typeof Alert>

/** An alert's labels by name. */
export type Labels = Readonly<Record<string, string>>
