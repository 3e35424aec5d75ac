import { parseArgs } from 'node:util'
import { type Judgement, judge } from './judge.ts'
import { readMaterial } from './material.ts'

/** `npm run accuracy [-- FILES]`: answers every case and recording and says what is right, by family, and each miss. */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { output: { type: 'string', short: 'o', default: 'text' } },
})
const paths = positionals.length > 0 ? positionals : ['test/recordings', 'test/cases', 'test/authored']
const judged = paths.flatMap(readMaterial).map(({ name, snapshot, expected }) => judge(name, snapshot, expected))

const share = (of: readonly Judgement[], is: (judgement: Judgement) => boolean | null): string => {
  const known = of.filter(judgement => is(judgement) !== null)
  return `${known.filter(is).length}/${known.length}`
}

const row = (label: string, of: readonly Judgement[]): string => {
  const mentioned = of.reduce((sum, { mentioned }) => sum + mentioned, 0)
  const toMention = of.reduce((sum, { toMention }) => sum + toMention, 0)
  const falseClaims = of.reduce((sum, { falseClaims }) => sum + falseClaims.length, 0)
  const cells = [
    share(of, ({ status }) => status),
    share(of, ({ container }) => container),
    share(of, ({ kind }) => kind),
    share(of, ({ cause }) => cause),
    `${mentioned}/${toMention}`,
    String(falseClaims),
  ]
  return [label.padEnd(12), ...cells.map(cell => cell.padStart(10))].join('')
}

if (values.output === 'json') {
  console.log(
    JSON.stringify(
      judged.map(({ diagnosis, ...rest }) => ({ ...rest, cause: diagnosis.cause.id, isCause: rest.cause })),
    ),
  )
} else {
  console.log(
    [
      'family'.padEnd(12),
      ...['STATUS', 'container', 'kind', 'cause', 'mentions', 'false'].map(head => head.padStart(10)),
    ].join(''),
  )
  for (const family of [...new Set(judged.map(({ family }) => family))].sort()) {
    console.log(
      row(
        family,
        judged.filter(judgement => judgement.family === family),
      ),
    )
  }
  console.log(row('all', judged))
  for (const { name, misses } of judged) if (misses.length > 0) console.log(`${name}: ${misses.join('; ')}`)
}
