import { expect, test } from 'vitest'
import { crashed } from './crashed-app.ts'

const LOG = "# Can't open or create append-only dir journal: Permission denied\n"
const claim = (name: string) => ({ name, persistentVolumeClaim: { claimName: `${name}-0` } })
const mount = (name: string) => ({ name, mountPath: `/srv/${name}` })
const cause = (...names: readonly string[]) =>
  crashed({ log: LOG, pod: { volumes: names.map(claim) }, spec: { volumeMounts: names.map(mount) } }).cause

test('a path that is not absolute likely lies in the only volume with data', () => {
  const { id, confidence, summary } = cause('store')
  expect({ id, confidence }).toEqual({ id: 'volume.permission', confidence: 'likely' })
  expect(summary).toContain('/srv/store')
})

test('with two volumes, or none, where it lies is not claimed', () => {
  for (const { id, summary } of [cause('store', 'logs'), cause()]) {
    expect(id).toBe('app.permission')
    expect(summary).not.toContain('belongs to the image')
  }
})
