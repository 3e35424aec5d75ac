import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { AlertOutcome } from './slack/posted-alert.ts'
import { type WatchMetrics, watchMetrics } from './watch/watch-metrics.ts'

/** What podwhy counts of itself. */
export interface Metrics {
  /** Begins an answer; the function it gives ends it, with its cause id, and tells the seconds it took. */
  startAnswer(): (cause: string) => number
  /** Counts what became of alerts, by where they came from. */
  countAlerts(from: 'post' | 'webhook', outcome: AlertOutcome, number: number): void
  readonly watch: WatchMetrics
  /** Prometheus' text format. */
  text(): Promise<string>
  readonly contentType: string
}

export interface MetricsOptions {
  /** Whether each cluster answered when it was last asked; null: it has not been asked. */
  readonly up?: () => readonly { readonly cluster: string; readonly isUp: boolean | null }[]
}

export const openMetrics = ({ up = () => [] }: MetricsOptions = {}): Metrics => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const answers = new Counter({
    name: 'podwhy_answers_total',
    help: 'Answers made, by cause id; none: there was nothing to explain.',
    labelNames: ['cause'],
    registers: [registry],
  })
  const alerts = new Counter({
    name: 'podwhy_alerts_total',
    help: 'Alerts posted to Slack or sent by webhook, by what became of them.',
    labelNames: ['from', 'outcome'],
    registers: [registry],
  })
  new Gauge({
    name: 'podwhy_cluster_up',
    help: 'Whether the cluster answered when it was last asked: 1, else 0.',
    labelNames: ['cluster'],
    registers: [registry],
    collect() {
      for (const { cluster, isUp } of up()) if (isUp !== null) this.set({ cluster }, isUp ? 1 : 0)
    },
  })
  const duration = new Histogram({
    name: 'podwhy_answer_duration_seconds',
    help: 'From taking a question up to having its answer, before it is posted.',
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
    registers: [registry],
  })
  return {
    startAnswer: () => {
      const stop = duration.startTimer()
      return cause => {
        answers.inc({ cause })
        return Math.round(stop() * 1000) / 1000
      }
    },
    countAlerts: (from, outcome, number) => alerts.inc({ from, outcome }, number),
    watch: watchMetrics(registry),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  }
}
