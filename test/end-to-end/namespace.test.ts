import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Block } from '../../src/answer/block-kit.ts'
import type { JsonObject } from '../../src/diagnosis/snapshot.ts'
import { shop } from '../cluster/open-test-cluster.ts'
import { mergedNamespace } from '../fakes/merged-namespace.ts'
import type { Service } from './service.ts'
import { openSurroundings, type Surroundings } from './surroundings.ts'

const workload = (kind: string) =>
  ({ metadata: { name: 'web', namespace: 'twice', uid: kind }, spec: { replicas: 0 } }) as unknown as JsonObject

describe('/podwhy about a namespace', () => {
  let around: Surroundings
  let service: Service
  let questions = 0
  beforeAll(async () => {
    const recordings = [
      ...mergedNamespace('orders', [
        'orders-wait-postgres/waiting',
        'billing-worker-secret/stuck',
        'web-frontend-nginx/crash-loop',
      ]),
      shop({ deployments: [workload('Deployment')], statefulSets: [workload('StatefulSet')] }),
    ]
    around = await openSurroundings({ recordings })
    service = await around.start({ env: { PODWHY_CHANNEL_NAMESPACES: 'CORDERS01=orders' } })
  })
  afterAll(() => around?.close())

  const ask = async (text: string, channel = `C${questions++}`) => {
    expect(await service.ask(text, { channel_id: channel })).toMatchObject({ status: 200, body: '' })
    await service.idle()
    const [message, ...others] = around.slack.channel(channel)
    expect(others).toEqual([])
    const blocks = (message?.blocks ?? []) as Block[]
    const of = <T extends Block['type']>(type: T) =>
      blocks.find((block): block is Extract<Block, { type: T }> => block.type === type)
    return { message, table: of('table'), menu: of('actions')?.elements }
  }
  const cells = (rows: Extract<Block, { type: 'table' }>['rows'] = []) =>
    rows.map(row => row.map(cell => (cell.type === 'raw_text' ? cell.text : '')))

  it('is answered by a table of the pods that are not well, and a menu to ask on', async () => {
    const { message, table, menu } = await ask('orders/')
    expect(message?.text).toMatch(/^🔴 \d of \d pods in orders · test are not healthy\.$/)
    const [header, ...rows] = cells(table?.rows)
    expect(header).toEqual(['Pod', 'Status', 'Ready · Restarts', 'Cause'])
    expect(rows).toContainEqual([
      'orders-api-664c9d84c7-q84wv',
      'Init:0/1',
      '0/1',
      expect.stringMatching(/^Init container wait-for-db .*waits for orders-postgres:5432/),
    ])
    expect(menu).toMatchObject([{ type: 'static_select', action_id: 'podwhy_choose' }])
    expect(JSON.stringify(menu)).toContain('orders/Pod/orders-api-664c9d84c7-q84wv')
    expect(message?.thread).toEqual([])
    const audit = service
      .stderr()
      .split('\n')
      .find(line => line.includes('"target":"orders/"') && line.includes('"answered"'))
    expect(JSON.parse(audit ?? '{}')).toMatchObject({ audit: true, cluster: 'test', seconds: expect.any(Number) })
  })

  it('reads each list once', () => {
    const lists = around.kube.calls
      .filter(({ path }) => /\/namespaces\/orders\/[a-z]+$/.test(path))
      .map(({ path }) => path)
    expect(new Set(lists).size).toBe(lists.length)
    expect(lists).toContain('/api/v1/namespaces/orders/events')
  })

  it('in a channel with a namespace of its own, a name alone is enough', async () => {
    const { message } = await ask('orders-api', 'CORDERS01')
    expect(message?.text).toContain('orders-api-664c9d84c7-q84wv (orders, test)')
  })

  it('that is forbidden is refused like all that is in it', async () => {
    const { body } = await service.ask('kube-system/', { channel_id: 'CFORBIDDEN' })
    expect(body).toContain('Namespace kube-system is not among those that may be asked about')
  })

  it('with a name of two kinds is asked back with a button for each', async () => {
    const { message, menu } = await ask('twice/web')
    expect(message?.text).toContain('is Deployment/web and StatefulSet/web; name the kind.')
    expect(menu).toMatchObject([
      { type: 'button', action_id: 'podwhy_choose-0', value: '{"t":"twice/Deployment/web"}' },
      { type: 'button', action_id: 'podwhy_choose-1', value: '{"t":"twice/StatefulSet/web"}' },
    ])
  })

  it('with a slip in a name offers the pod that may have been meant', async () => {
    const { message, menu } = await ask('orders/ordersapi-664c9d84c7-q84wv')
    expect(message?.text).toContain('did you mean "orders-api-664c9d84c7-q84wv"?')
    expect(menu).toMatchObject([{ type: 'button', value: '{"t":"orders/Pod/orders-api-664c9d84c7-q84wv"}' }])
  })
})
