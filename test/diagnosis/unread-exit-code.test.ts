import { expect, it } from 'vitest'
import { diagnose } from '../../src/diagnosis/diagnose.ts'
import { aContainer, aPod, aSnapshot, crashLoop } from './builders.ts'

const explained = (exitCode: unknown) => {
  const pod = aPod({ containers: [aContainer({ ready: false, ...crashLoop(exitCode as number) })] })
  return diagnose(aSnapshot({ pod })).diagnosis
}

it.each(['1', '0', true, {}, []])('an exit code that is no number (%j) is not known, and no success', exitCode => {
  const { cause, exit, status } = explained(exitCode)
  expect(status).toBe('CrashLoopBackOff')
  expect(exit).toBeNull()
  expect(cause).toMatchObject({ id: 'app.crash', confidence: 'possible' })
  expect(cause.summary).toMatch(/ends again and again; how it ended last could not be read\./)
})

it('an exit code that is left out is 0, as the API has it', () => {
  expect(explained(undefined).exit?.code).toBe(0)
})
