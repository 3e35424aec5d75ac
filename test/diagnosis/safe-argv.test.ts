import { expect, it } from 'vitest'
import { diagnose } from '../../src/diagnosis/diagnose.ts'
import type { JsonObject } from '../../src/diagnosis/snapshot.ts'
import { aContainer, aPod, aSnapshot, crashLoop } from './builders.ts'

const named = (name: string, container = 'web') => {
  const pod = aPod({ containers: [aContainer({ name: container, ready: false, ...crashLoop(1) })] })
  const metadata = pod['metadata'] as JsonObject
  return diagnose(aSnapshot({ pod: { ...pod, metadata: { ...metadata, name } }, target: name })).diagnosis.commands
}

it.each(['--all', '-name', '-n'])('no command is printed in which the name %s would be an option', name => {
  for (const commands of [named(name), named('web-1', name)]) {
    const words = commands.flatMap(({ argv }) => argv.filter((_, index) => argv[index - 2] !== 'kubectl' && index > 2))
    expect(words).not.toContain(name)
  }
})

it('commands about other names are printed as ever', () => {
  expect(named('web-1').map(({ argv }) => argv.join(' '))).toContain('kubectl -n shop describe pod web-1')
})
