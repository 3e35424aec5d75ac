import { describe, expect, test } from 'vitest'
import { crashed } from './crashed-app.ts'

describe('settings', () => {
  test('a Service link that overrides a setting names the Service', () => {
    const { cause } = crashed({
      log: "ValueError: invalid literal for int() with base 10: 'tcp://10.96.7.7:6379'\n",
      snapshot: {
        related: {
          services: [
            {
              metadata: { name: 'redis', namespace: 'shop' },
              spec: { clusterIP: '10.96.7.7', ports: [{ port: 6379 }] },
            },
          ],
          endpointSlices: [],
        },
      },
    })
    expect(cause.id).toBe('app.bad-config')
    expect(cause.summary).toContain('`REDIS_PORT`')
    expect(cause.fix[0]).toContain('enableServiceLinks: false')
  })

  test('the variable that is there but wrong is to be corrected, not set', () => {
    const { cause } = crashed({
      log: 'Error: LOG_LEVEL is invalid\n',
      spec: { env: [{ name: 'LOG_LEVEL', value: 'loud' }] },
    })
    expect(cause.fix[0]).toContain('Correct the value of `LOG_LEVEL`')
  })
})
