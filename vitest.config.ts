import { defineConfig } from 'vitest/config'

/** What measures the service under load: nothing else may run beside it. */
const alone = ['test/end-to-end/storm.test.ts']

export default defineConfig({
  test: {
    testTimeout: 30_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: { name: 'all', include: ['test/**/*.test.ts'], exclude: ['test/cluster-live/**', ...alone] },
      },
      { extends: true, test: { name: 'alone', include: alone, sequence: { groupOrder: 1 } } },
    ],
  },
})
