import { Counter, Gauge, type Registry } from 'prom-client'
import type { WatchCount } from '../cluster/watch-cluster.ts'

/** What is counted of watching for first crashes, by cluster. */
export interface WatchMetrics {
  count(cluster: string, what: WatchCount, number: number): void
  kept(cluster: string): void
  /** A first crash that is not kept: `store`, the store was away. */
  skipped(cluster: string, why: 'store'): void
  /** Whether this process watches the cluster. */
  active(cluster: string, isActive: boolean): void
}

export const watchMetrics = (registry: Registry): WatchMetrics => {
  const registers = [registry]
  const labelNames = ['cluster'] as const
  const counter = (name: string, help: string) => new Counter({ name, help, labelNames, registers })
  const events = counter('podwhy_watch_events_total', 'Changes of pods seen by the watch.')
  const bytes = counter('podwhy_watch_bytes_total', 'Bytes of lists, watches and logs read by the watch.')
  const kept = counter('podwhy_watch_kept_total', 'First crashes kept.')
  const calls = new Counter({
    name: 'podwhy_watch_calls_total',
    help: 'Calls to the API server made by the watch, by what they ask for.',
    labelNames: ['cluster', 'what'],
    registers,
  })
  const skipped = new Counter({
    name: 'podwhy_watch_skipped_total',
    help: 'First crashes not kept: too-many at once, or the store was away.',
    labelNames: ['cluster', 'why'],
    registers,
  })
  const active = new Gauge({
    name: 'podwhy_watch_active',
    help: 'Whether this process watches the cluster: 1, else 0.',
    labelNames,
    registers,
  })
  return {
    count(cluster, what, number) {
      if (what === 'bytes') bytes.inc({ cluster }, number)
      else if (what === 'events') events.inc({ cluster }, number)
      else if (what === 'too-many') skipped.inc({ cluster, why: what }, number)
      else calls.inc({ cluster, what: what === 'events-list' ? 'events' : what }, number)
    },
    kept: cluster => kept.inc({ cluster }),
    skipped: (cluster, why) => skipped.inc({ cluster, why }),
    active: (cluster, isActive) => active.set({ cluster }, isActive ? 1 : 0),
  }
}
