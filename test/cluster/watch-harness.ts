import { onTestFinished } from 'vitest'
import { openCluster } from '../../src/cluster/cluster.ts'
import type { Patience, Position } from '../../src/cluster/pod-watch.ts'
import type { SeenCrash } from '../../src/cluster/read-crash.ts'
import type { WatchOptions } from '../../src/cluster/watch-cluster.ts'
import { type KubeWatch, startKubeWatch } from '../fakes/kube-watch.ts'

/** Impatient, so that nobody waits. */
export const impatience: Patience = { firstMs: 10, longestMs: 40, forbiddenMs: 50, streamMs: 60_000, saveMs: 0 }

/** Where watches have come to, by scope. */
export const positions = () => {
  const values = new Map<string, string>()
  const of = (scope: string): Position => ({
    load: async () => values.get(scope) ?? null,
    save: async version => void values.set(scope, version),
  })
  return { values, of }
}

/** A server that can be watched; it ends with the test. */
export const openKubeWatch = async (): Promise<KubeWatch> => {
  const fake = await startKubeWatch()
  onTestFinished(() => fake.kube.close())
  return fake
}

/** One watch of it, with all that it tells; ended by `stop` or with the test. */
export const openWatch = async (fake: KubeWatch, options: Partial<WatchOptions> = {}) => {
  const cluster = await openCluster({ kubeconfig: fake.kube.kubeconfig() })
  const seen: SeenCrash[] = []
  const said: string[] = []
  const counts: Record<string, number> = {}
  const end = new AbortController()
  const running = cluster.watch(
    {
      namespaces: null,
      isWanted: () => true,
      position: positions().of,
      isKept: () => false,
      keep: async crash => void seen.push(crash),
      onSteady: () => {},
      count: (what, number) => {
        counts[what] = (counts[what] ?? 0) + number
      },
      say: (level, message) => void said.push(`${level} ${message}`),
      readsPerSecond: 1_000,
      patience: impatience,
      ...options,
    },
    end.signal,
  )
  const stop = async () => {
    end.abort()
    await running
    await cluster.close()
  }
  onTestFinished(stop)
  return { seen, said, counts, stop }
}
