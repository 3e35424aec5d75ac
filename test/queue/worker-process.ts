// What the tests of killed processes kill. Arguments, and what it prints:
//   lock DIRECTORY                            locked
//   work URL|embedded DATA_DIR hang|finish    ready, then for each job: started ID, answered ID RUN
import { lockDirectory } from '../../src/queue/directory-lock.ts'
import { openEngine } from '../../src/queue/engine.ts'

const [, , task, where = '', dataDir = '', how] = process.argv
const say = (...words: unknown[]) => process.stdout.write(`${words.join(' ')}\n`)
const log = {
  info: () => {},
  warn: () => {},
  error: (fields: object, message: string) => console.error(message, fields),
}

if (task === 'lock') {
  await lockDirectory(where)
  say('locked')
  setInterval(() => {}, 1000)
} else {
  const url = where === 'embedded' ? null : where
  const recovery = { lockDurationMs: 1000, stalledIntervalMs: 500 }
  const engine = await openEngine({ url, dataDir, log, recovery })
  engine.work(
    {
      answer: async ({ id }, { started }) => {
        say('started', id)
        if (how === 'hang') await new Promise(() => {})
        say('answered', id, started)
      },
      apologise: async ({ id }) => {
        say('apologised', id)
      },
    },
    { concurrency: 2 },
  )
  say('ready')
}
