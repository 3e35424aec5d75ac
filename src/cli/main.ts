import { once } from 'node:events'
import { writeSync } from 'node:fs'
import { errorLines, run } from './run.ts'

const { stdout, stderr, stdin, env } = process

// `podwhy … | head`: the reader has seen enough.
for (const stream of [stdout, stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 2))
}
const giveUp = (error: unknown): never => {
  for (const line of errorLines(error, env)) writeSync(2, `${line}\n`)
  process.exit(2)
}
process.on('uncaughtException', giveUp)
process.on('unhandledRejection', giveUp)

process.exitCode = await run(process.argv.slice(2), {
  env,
  stdin,
  print: async text => {
    if (!stdout.write(text)) await once(stdout, 'drain')
  },
  say: line => stderr.write(`${line}\n`),
  isTerminal: stdout.isTTY === true,
  columns: stdout.columns,
})
