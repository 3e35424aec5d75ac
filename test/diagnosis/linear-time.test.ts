import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { diagnose } from '../../src/diagnosis/diagnose.ts'
import { pieces, textSources } from './hostile-texts.ts'

const LENGTH = 32_000
/** Of this process alone. Some 5 ms are usual; a pattern that backtracks over the whole text takes seconds. */
const ALLOWED_MS = 300

const cpuMs = (work: () => void): number => {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** The texts that took too long. A second try forgives a collection of garbage. */
const slow = (source: string, words: readonly string[]): string[] => {
  const unit = words.join('')
  const snapshot = textSources[source]?.(`${unit.repeat(Math.ceil(LENGTH / unit.length))}!\u0001`)
  if (!snapshot) return [`no source ${source}`]
  const work = () => void diagnose(snapshot)
  const took = cpuMs(work) <= ALLOWED_MS ? 0 : cpuMs(work)
  return took <= ALLOWED_MS ? [] : [`${JSON.stringify(unit)} repeated: ${Math.round(took)} ms`]
}

describe('a long hostile text', () => {
  it.each(Object.keys(textSources))('as %s is read in linear time', source => {
    expect(pieces.flatMap(piece => slow(source, [piece]))).toEqual([])
  })

  it('made of any words is read in linear time, wherever it stands', () => {
    const words = fc.array(fc.constantFrom(...pieces), { minLength: 2, maxLength: 4 })
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(textSources)), words, (source, unit) => {
        expect(slow(source, unit)).toEqual([])
      }),
      { seed: 20260504, numRuns: 600 },
    )
  })
})
