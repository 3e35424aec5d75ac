import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { toSnapshots } from '../../src/cli/to-snapshots.ts'
import type { PodSnapshot } from '../../src/diagnosis/snapshot.ts'
import type { Expected } from './judge.ts'

/** A snapshot with the right answer beside it. */
export interface Material {
  readonly name: string
  readonly snapshot: PodSnapshot
  readonly expected: Expected
}

const json = (file: string): Record<string, unknown> => JSON.parse(readFileSync(file, 'utf8'))

interface ScenarioFile {
  readonly expected: Expected & { readonly perMoment?: Record<string, Expected> }
  readonly perMoment?: Record<string, Expected>
}

const expectedOf = (file: string, answers: string): Expected => {
  const { expected, perMoment } = json(answers) as unknown as ScenarioFile
  const { perMoment: nested, ...usual } = expected
  const ofMoment = (perMoment ?? nested)?.[basename(file, '.json')]
  // A moment that names its causes replaces the usual ones.
  const { cause, causes, ...rest } = usual
  const hasOwnCause = ofMoment?.cause !== undefined || ofMoment?.causes !== undefined
  return { ...rest, ...(hasOwnCause ? {} : { cause, causes }), ...ofMoment } as Expected
}

/** Recordings lie beside `expected.json` (or the scenario's `scenario.json`); a case carries its own `expected`. */
const materialIn = (file: string): Material[] => {
  const body = json(file)
  const known = body['expected'] as Expected | undefined
  if (known) {
    // Cases without a version mean 1.34, as their README says.
    const [snapshot] = toSnapshots({ server: { gitVersion: 'v1.34.0' }, ...body })
    return snapshot ? [{ name: basename(file, '.json'), snapshot, expected: known }] : []
  }
  const answers = [
    join(dirname(file), 'expected.json'),
    join(dirname(file), '..', '..', 'scenarios', basename(dirname(file)), 'scenario.json'),
  ].find(existsSync)
  if (body['kind'] !== 'PodSnapshot' || answers === undefined) return []
  const name = `${basename(dirname(file))}/${basename(file, '.json')}`
  return [{ name, snapshot: body as unknown as PodSnapshot, expected: expectedOf(file, answers) }]
}

/** Everything with a right answer below a file or folder. */
export const readMaterial = (path: string): Material[] => {
  if (!statSync(path).isDirectory()) return materialIn(path)
  return readdirSync(path)
    .sort()
    .flatMap(entry => {
      const child = join(path, entry)
      if (statSync(child).isDirectory()) return readMaterial(child)
      return entry.endsWith('.json') && entry !== 'expected.json' && entry !== 'scenario.json' ? materialIn(child) : []
    })
}
