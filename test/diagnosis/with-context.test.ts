import { expect, it } from 'vitest'
import { withContext } from '../../src/diagnosis/with-context.ts'
import { examples } from '../answer/diagnoses.ts'

const [diagnosis] = Object.values(examples)
if (diagnosis === undefined) throw new Error('no example')

it('names the context in every command, right behind kubectl', () => {
  const { commands } = withContext(diagnosis, 'prod-eu')
  expect(commands.length).toBeGreaterThan(0)
  for (const { argv } of commands) expect(argv.slice(0, 3)).toEqual(['kubectl', '--context', 'prod-eu'])
})

it('leaves commands alone where the current context is meant', () => {
  expect(withContext(diagnosis, null)).toBe(diagnosis)
})
