import type { Diagnosis } from '../../src/diagnosis/diagnosis.ts'
import { bare, examples } from './diagnoses.ts'

const example = examples['liveness-kill'] ?? bare()
const log = example.log ?? {
  container: 'consumer',
  instance: 'current' as const,
  restart: null,
  lines: [],
  omitted: 0,
  redacted: 0,
  missing: null,
  firstAt: null,
  lastAt: null,
}

/** Every text of the cause, the log and the commands is `text`. */
const everywhere = (text: string, over: Partial<Diagnosis> = {}): Diagnosis => ({
  ...example,
  cause: {
    ...example.cause,
    summary: `\`consumer\` says ${text}`,
    evidence: [{ source: text, text }],
    fix: [text, text],
    avoid: [text],
    verify: [text],
  },
  others: [{ ...example.cause, summary: text }],
  exit: example.exit === null ? null : { ...example.exit, meaning: text, reason: text },
  log: { ...log, lines: [text, text] },
  commands: [{ purpose: text, argv: ['kubectl', 'get', text], changes: false }],
  unread: [{ what: text, why: text }],
  ...over,
})

const family = '👩‍👩‍👧‍👦'

/** What users, images and logs may put into an answer. */
export const hostile: Readonly<Record<string, Diagnosis>> = {
  'everything null': bare(),
  'a healthy pod about which there is too much to say': everywhere('word '.repeat(2_000), { healthy: true }),
  'everything null with a pod': bare({ pod: 'web', status: 'Unknown', since: 'not a time', nextRestart: '' }),
  'log lines of 10,000 characters': {
    ...example,
    log: { ...log, lines: Array.from({ length: 40 }, (_, i) => `${i} ${'x'.repeat(10_000)} ${i}`) },
  },
  '2,000 log lines': {
    ...example,
    log: { ...log, lines: Array.from({ length: 2_000 }, (_, i) => `line ${i}`), omitted: 500 },
  },
  'log lines that are empty': { ...example, log: { ...log, lines: ['', '', ''] } },
  'log lines full of quotes': {
    ...example,
    log: { ...log, lines: Array.from({ length: 50 }, () => '"\\'.repeat(200)) },
  },
  'back-ticks': everywhere('`` ` ``` a ` b `` c ` ``````'),
  'code spans only': everywhere(Array.from({ length: 400 }, (_, i) => `\`${i}\``).join(' ')),
  'one code span of 10,000 characters': everywhere(`\`${'y'.repeat(10_000)}\``),
  'one word of 10,000 characters': everywhere('z'.repeat(10_000)),
  mentions: everywhere(
    '<!channel> <!here> <@U012AB3CD> <#C012AB3CD> <!subteam^S1> @channel @everyone & <https://evil.example|click>',
  ),
  markup: everywhere('<script>alert(1)</script> *bold* _it_ ~no~ > quote :fire: &lt;!channel&gt;'),
  'right-to-left': everywhere('gpj.\u202Egnp.exe\u202C \u2067مرحبا\u2069 \u200F'),
  surrogates: everywhere(`${family.repeat(400)} \uD83D broken \uDE00`),
  'surrogates at every cut': everywhere(`a${'😀'.repeat(5_000)}`),
  escapes: everywhere(
    '\u001B[31mred\u001B[0m \u001B]0;title\u0007 \u001B]8;;https://evil.example\u001B\\link\u001B]8;;\u001B\\ \u009B2J \u0000\u0008\r\n tab\there',
  ),
  '60 pieces of evidence': {
    ...example,
    cause: {
      ...example.cause,
      evidence: Array.from({ length: 60 }, (_, i) => ({
        source: `status.containerStatuses[${i}].${'path.'.repeat(40)}`,
        text: `fact ${i} ${'about `it` '.repeat(80)}`,
      })),
    },
  },
  '80 commands': {
    ...example,
    commands: Array.from({ length: 80 }, (_, i) => ({
      purpose: `Step ${i}`,
      argv: ['kubectl', 'get', `pod-${i}`],
      changes: i % 2 === 0,
    })),
  },
  'a command of 20,000 characters': {
    ...example,
    commands: [{ purpose: 'Patch', argv: ['kubectl', 'patch', 'p'.repeat(20_000)], changes: true }],
  },
  'names as long as they may be': {
    ...everywhere('word '.repeat(2_000)),
    pod: 'p'.repeat(253),
    namespace: 'n'.repeat(63),
    cluster: `arn:aws:eks:eu-central-1:000000000000:cluster/${'c'.repeat(100)}`,
    status: `Init:${'S'.repeat(200)}`,
    container: { name: 'c'.repeat(63), kind: 'init', position: 2, of: 3, image: 'i'.repeat(500), restartCount: 9 },
  },
}
