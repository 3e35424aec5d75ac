import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** Checks on a real cluster, the one of `KUBECONFIG`; `kubectl` and `redis-server` are on the PATH. One file at a time. */
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: ['test/cluster-live/**/*.test.ts'],
    globalSetup: ['test/cluster-live/needs.ts'],
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
