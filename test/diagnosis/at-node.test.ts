import { expect, test } from 'vitest'
import { atNode } from '../../src/diagnosis/at-node.ts'
import { View } from '../../src/diagnosis/view.ts'
import { aPod, aSnapshot } from './builders.ts'

const view = new View(aSnapshot())

test('the first mention of the node carries its name', () => {
  expect(atNode(view, 'the node has no space; the node is full')).toBe('node `node-a` has no space; the node is full')
  expect(atNode(view, 'no variant for this node')).toBe('no variant for node `node-a`')
})

test('what only belongs to the node is no mention of it', () => {
  expect(atNode(view, 'the node resolver is asked')).toBe('the node resolver is asked')
})

test('a pod without a node leaves the words as they are', () => {
  const unscheduled = new View(aSnapshot({ pod: aPod({ spec: { nodeName: undefined } }) }))
  expect(atNode(unscheduled, 'the node is full')).toBe('the node is full')
})
