import { describe, expect, it } from 'vitest'
import type { triageOf } from '../../src/answer/triage.ts'
import { slackTriage } from '../../src/answer/triage-answer.ts'
import { jsonTriage } from '../../src/answer/triage-json.ts'
import { textTriage } from '../../src/answer/triage-text.ts'
import { withinLimits } from '../../src/answer/within-limits.ts'
import { bare } from './diagnoses.ts'
import { messageText } from './message-text.ts'
import { aCase, alikePods, inTrouble, triageOfShop } from './triages.ts'

const slack = (triage: ReturnType<typeof triageOf>, cluster: string | null = null) => slackTriage(triage, { cluster })
const groupNames = ({ groups }: ReturnType<typeof triageOf>) =>
  groups.map(({ owner, cause }) => `${owner?.name ?? '-'} ${cause.id}`)

describe('a namespace in trouble', () => {
  it('reads like this in a terminal', async () => {
    const text = textTriage(inTrouble(), { color: false })
    await expect(text).toMatchFileSnapshot('answers/triage.terminal.txt')
  })

  it('reads like this in Slack, with a table and a menu', async () => {
    const { root } = slack(inTrouble())
    await expect(`${messageText(root)}\n`).toMatchFileSnapshot('answers/triage.slack.txt')
    expect(root.text).toBe(
      '🔴 20 of 25 pods in shop · prod-eu are not healthy, and 1 workload has no pods: 4 pods of 3 owners share one cause, orders-postgres.',
    )
  })

  it('has one row a pod, as kubectl prints it, and the cause once for each owner', () => {
    const table = slack(inTrouble()).root.blocks.find(block => block.type === 'table')
    const rows = table?.rows.map(row => row.map(cell => (cell.type === 'raw_text' ? cell.text : '')))
    expect(rows?.length).toBe(1 + 21)
    expect(rows?.slice(0, 3)).toEqual([
      ['Pod', 'Status', 'Ready · Restarts', 'Cause'],
      ['orders-worker-5b7f-a', 'Init:0/1', '0/1', expect.stringMatching(/^Init container wait-for-db waits for/)],
      ['orders-worker-5b7f-b', 'Init:0/1', '0/1', 'same'],
    ])
    expect(rows).toContainEqual([
      'orders-sync-0',
      'CrashLoopBackOff',
      '0/1 · 3',
      expect.stringContaining('cannot reach'),
    ])
    expect(rows).toContainEqual(['web-7c9d8f6b54-x0003', 'Error', '0/1 · 7', 'same, by its looks'])
    expect(rows).toContainEqual(['Deployment/file-drop', 'no pod', '–', expect.stringContaining('could be created')])
  })

  it('offers pods to explain, one of each owner first, in the cluster that was named; the thread has all', () => {
    const { root, thread } = slack(inTrouble(), 'eu')
    const [offered = [], all = []] = [root, ...thread].map(({ blocks }) => {
      const menu = blocks.find(block => block.type === 'actions')?.elements[0]
      expect(menu).toMatchObject({ type: 'static_select', action_id: 'podwhy_choose' })
      return menu?.type === 'static_select' ? menu.options.map(({ value }) => JSON.parse(value)) : []
    })
    expect(offered.slice(0, 3)).toEqual([
      { t: 'eu:shop/Pod/orders-worker-5b7f-a' },
      { t: 'eu:shop/Pod/orders-api-664c9d84c7-q84wv' },
      { t: 'eu:shop/Pod/orders-sync-0' },
    ])
    expect(offered.length).toBeGreaterThan(9)
    expect(all.length).toBe(21)
    expect(all).toContainEqual({ t: 'eu:shop/Deployment/file-drop' })
  })

  it('is one JSON answer for each pod; one that was not looked into says so', () => {
    const answers = jsonTriage(inTrouble())
    expect(answers.length).toBe(21)
    expect(new Set(answers.map(({ pod, owner }) => pod ?? owner?.name)).size).toBe(21)
    expect(answers.find(({ pod }) => pod === 'web-7c9d8f6b54-x0003')).toMatchObject({
      status: 'Error',
      uid: null,
      cause: {
        id: 'app.crash',
        confidence: 'likely',
        evidence: [{ text: expect.stringContaining('Not looked into') }],
      },
    })
  })
})

describe('groups', () => {
  it('of one shared cause come first, behind what they wait for; what was evicted comes last', () => {
    expect(groupNames(inTrouble())).toEqual([
      'orders-worker init.wait-wrong-target',
      'orders-api init.wait-wrong-target',
      'orders-sync app.dependency-unreachable',
      'checkout-db probe.other',
      'checkout-api init.wait-no-endpoints',
      'web app.crash',
      'file-drop admission.quota',
      '- image.not-found',
      'export evict.node-disk',
    ])
  })

  it('have an owner and a cause each', () => {
    const triage = triageOfShop([
      aCase('web', 'web-1', { id: 'app.crash', summary: 'It crashes.' }),
      aCase('web', 'web-2', { id: 'oom.container-limit', summary: 'It was killed.' }),
      aCase('api', 'api-1', { id: 'app.crash', summary: 'It crashes.' }),
    ])
    expect(groupNames(triage).sort()).toEqual(['api app.crash', 'web app.crash', 'web oom.container-limit'])
    expect(triage.shared).toEqual([])
  })

  it.each([
    [
      'a node',
      'node.lost',
      (name: string) => `Node \`node-7\` has stopped reporting; pod of \`${name}\`.`,
      'node node-7',
    ],
    [
      'a registry',
      'image.auth-expired',
      (name: string) =>
        `Container \`${name}\` cannot start because its image \`registry.test:5000/shop/${name}:1\` cannot be pulled.`,
      'registry.test:5000',
    ],
    [
      'a Secret',
      'create.object-missing',
      (name: string) =>
        `Container \`${name}\` cannot be created: Secret \`shop-db\`, which it refers to, does not exist.`,
      'Secret shop-db',
    ],
    [
      'a lack of room',
      'scheduling.insufficient-resources',
      (name: string) => `The pod of \`${name}\` has no node.`,
      null,
    ],
  ])('of several owners share %s', (_what, id, summary, name) => {
    const triage = triageOfShop(
      ['a', 'b'].map(owner => aCase(owner, `${owner}-1`, { id, container: owner, summary: summary(owner) })),
    )
    expect(triage.shared).toEqual([{ name, pods: 2, owners: 2 }])
  })

  it('share nothing for having the same setting in their words', () => {
    const triage = triageOfShop(
      ['a', 'b'].map(owner =>
        aCase(owner, `${owner}-1`, { id: 'app.one-shot', summary: '`restartPolicy: Always` starts it again.' }),
      ),
    )
    expect(triage.shared).toEqual([])
  })
})

describe('a namespace without trouble', () => {
  it.each([
    [{ pods: 12, fine: 12 }, 'All 12 pods in `shop` · prod-eu are well: ready, or done.'],
    [{ pods: 0, fine: 0 }, 'No pods in `shop` · prod-eu, and no workload that wants any.'],
  ])('%j is one line', (counts, expected) => {
    const { root, thread } = slack(triageOfShop([], counts))
    expect(messageText(root)).toBe(`:white_circle: ${expected}`)
    expect(root.text).toBe(`⚪ ${expected.replaceAll('`', '')}`)
    expect(thread).toEqual([])
    expect(textTriage(triageOfShop([], counts), { color: false })).toBe(`${expected}\n`)
  })

  it('counts a pod as well that turns out to be', () => {
    const recovered = { diagnosis: bare({ pod: 'web-1', healthy: true }), alike: [] }
    expect(triageOfShop([recovered], { pods: 6, fine: 5 })).toMatchObject({ unwell: 0, groups: [] })
  })
})

describe('of a namespace in more trouble than a message holds', () => {
  const long = (name: string, index: number) => `${name}-${'x'.repeat(200)}-${index}`
  const crowd = (owners: number, pods: number, summary: string) =>
    triageOfShop(
      Array.from({ length: owners }, (_, index) =>
        aCase(
          long('owner', index),
          long('pod', index),
          { id: 'app.crash', summary },
          { alike: alikePods(`o${index}`, pods) },
        ),
      ),
      {
        unread: Array.from({ length: 30 }, (_, index) => ({
          what: `what ${'w'.repeat(300)}${index}`,
          why: 'y'.repeat(400),
        })),
      },
    )

  it.each([
    ['30 owners', crowd(30, 0, 'It fails: `<!channel>` & more. '.repeat(40))],
    ['one owner of 500 pods', crowd(1, 499, 'It fails.')],
    ['30 owners of 30 pods', crowd(30, 29, `\`${'c'.repeat(900)}\` "fails".`)],
    ['no words', crowd(20, 3, '')],
  ])('of %s nothing is refused, and what is missing is counted', (_what, triage) => {
    const { root, thread } = slack(triage, 'arn:aws:eks:eu-west-1:123456789012:cluster/prod')
    for (const message of [root, ...thread]) expect(withinLimits(message)).toEqual([])
    const rows = root.blocks.find(block => block.type === 'table')?.rows.length ?? 0
    expect(rows).toBeGreaterThan(10)
    const hidden = triage.groups.flatMap(group => group.rows).length - (rows - 1)
    if (hidden > 0) expect(messageText(root)).toContain(`${hidden} more row`)
  })

  it('the terminal has every row', () => {
    const text = textTriage(crowd(3, 200, 'It fails.'), { color: false })
    expect(text.match(/app\.crash/g)?.length).toBe(603)
  })
})
