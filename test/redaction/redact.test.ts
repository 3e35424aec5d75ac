import { expect, test } from 'vitest'
import type { JsonObject, PodSnapshot } from '../../src/diagnosis/snapshot.ts'
import { redact } from '../../src/redaction/redact.ts'
import { type Planted, planted } from './planted-secrets.ts'

const snapshot = (parts: Partial<PodSnapshot>): PodSnapshot => ({
  kind: 'PodSnapshot',
  takenAt: '2026-05-04T12:00:00Z',
  server: null,
  namespace: 'shop',
  target: 'web-5d4f',
  pod: null,
  events: [],
  logs: {},
  related: {},
  unread: [],
  ...parts,
})
const pod = (container: JsonObject, annotations: JsonObject = {}): JsonObject => ({
  metadata: { name: 'web-5d4f', annotations },
  spec: { containers: [{ name: 'web', image: 'shop/web:1', ...container }] },
})
const stamp = (text: string): string =>
  text
    .split('\n')
    .map((line, at) => `2026-05-04T12:00:0${at}.123456789Z ${line}`)
    .join('\n')

/** The places of a snapshot that a text can stand in. */
const PLACES: Record<string, (text: string) => PodSnapshot> = {
  log: text => snapshot({ logs: { web: { current: `${stamp('start')}\n${stamp(text)}\nend`, previous: null } } }),
  'reason for no log': text => snapshot({ logErrors: { web: { current: text, previous: null } } }),
  event: text => snapshot({ events: [{ reason: 'Failed', message: text }] }),
  'status message': text =>
    snapshot({ pod: { status: { containerStatuses: [{ state: { waiting: { message: text } } }] } } }),
  argument: text => snapshot({ pod: pod({ args: ['sh', '-c', text] }) }),
  'value of a variable': text => snapshot({ pod: pod({ env: [{ name: 'SETTINGS', value: text }] }) }),
  annotation: text => snapshot({ pod: pod({}, { 'shop/note': text }) }),
  'last applied configuration': text =>
    snapshot({
      pod: pod(
        {},
        {
          'kubectl.kubernetes.io/last-applied-configuration': `${JSON.stringify(pod({ args: ['sh', '-c', text] }))}\n`,
        },
      ),
    }),
  'JSON in JSON in a log': text =>
    snapshot({
      logs: { web: { current: stamp(JSON.stringify({ msg: JSON.stringify({ cmd: text }) })), previous: null } },
    }),
  'object of a list': text => snapshot({ related: { events: [{ message: text }] } }),
}

const escapes = (text: string): string[] => {
  const once = JSON.stringify(text).slice(1, -1)
  return [text, once, JSON.stringify(once).slice(1, -1)]
}

for (const [place, put] of Object.entries(PLACES)) {
  test.each(planted.map(secret => [secret.kind, secret] as [string, Planted]))(
    `a secret in a ${place} is removed: %s`,
    async (_, { text, secret, kept }) => {
      const output = await redact(put(text))
      const printed = JSON.stringify(output)
      expect(printed).not.toContain(secret)
      expect(printed).toContain('[redacted]')
      const inside = [printed, JSON.parse(JSON.stringify(printed))]
      for (const part of kept ?? []) {
        const found = [...escapes(part), ...escapes(escapes(part)[2] ?? '')].some(form =>
          inside.some(whole => whole.includes(form)),
        )
        expect(found, `${part} in ${printed}`).toBe(true)
      }
      expect(await redact(output)).toEqual(output)
    },
  )
}
