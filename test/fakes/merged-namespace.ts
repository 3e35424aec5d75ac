import { readFileSync } from 'node:fs'
import type { PodSnapshot } from '../../src/diagnosis/snapshot.ts'

/** Recordings of `test/recordings`, `scenario/moment`, moved into one namespace. */
export const mergedNamespace = (namespace: string, names: readonly string[]): PodSnapshot[] =>
  names.map(name => {
    const text = readFileSync(new URL(`../recordings/${name}.json`, import.meta.url), 'utf8')
    const { namespace: recorded } = JSON.parse(text) as PodSnapshot
    return JSON.parse(text.replaceAll(recorded, namespace)) as PodSnapshot
  })
