import { expect, test } from 'vitest'
import { flatRelated } from '../../src/cli/flat-related.ts'

test('a node written by hand gets its taints and its Ready condition', () => {
  const { nodes } = flatRelated(
    {
      nodes: [
        {
          name: 'node-a',
          taints: ['dedicated=gpu:NoSchedule', 'node.kubernetes.io/not-ready:NoExecute'],
          Ready: 'False',
          message: 'no network',
        },
      ],
    },
    'shop',
  )
  expect(nodes?.[0]).toMatchObject({
    metadata: { name: 'node-a' },
    spec: {
      taints: [
        { key: 'dedicated', value: 'gpu', effect: 'NoSchedule' },
        { key: 'node.kubernetes.io/not-ready', effect: 'NoExecute' },
      ],
    },
    status: { conditions: [{ type: 'Ready', status: 'False', message: 'no network' }] },
  })
})

test('what is no taint and no condition stays as it was written', () => {
  const { nodes } = flatRelated(
    { nodes: [{ name: 'node-a', taints: ['odd', { key: 'x', effect: 'NoSchedule' }] }] },
    'shop',
  )
  expect(nodes?.[0]?.['spec']).toEqual({ taints: ['odd', { key: 'x', effect: 'NoSchedule' }] })
  expect(nodes?.[0]?.['status']).toEqual({})
})
