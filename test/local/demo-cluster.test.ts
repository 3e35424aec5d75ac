import { readdir, readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import type { PodSnapshot } from '../../src/diagnosis/snapshot.ts'
import { demoCluster, NoSuchPod } from '../../src/local/demo-cluster.ts'
import { demoPods } from '../../src/local/demo-pods.ts'

const cluster = demoCluster()
const directory = new URL('../../src/local/demo/', import.meta.url)

describe('a target means', () => {
  test.each(demoPods.filter(({ pod }) => pod !== null))('the pod $namespace/$pod by its name', async each => {
    const snapshot: PodSnapshot = await cluster.read({ namespace: each.namespace, kind: null, name: each.pod ?? '' })
    expect(snapshot).toMatchObject({
      kind: 'PodSnapshot',
      cluster: 'demo',
      namespace: each.namespace,
      target: each.pod,
    })
    expect(snapshot.pod).toMatchObject({ metadata: { name: each.pod, namespace: each.namespace } })
  })

  test.each([
    [
      'a Deployment’s pod',
      { namespace: 'shop', kind: 'Deployment', name: 'orders-api' },
      'orders-api-664c9d84c7-q84wv',
    ],
    ['it without the kind too', { namespace: 'shop', kind: null, name: 'orders-api' }, 'orders-api-664c9d84c7-q84wv'],
    ['a Job’s pod', { namespace: 'reports', kind: 'Job', name: 'csv-export' }, 'csv-export-46vck'],
    ['the first of two pods', { namespace: 'billing', kind: null, name: 'billing-api' }, 'billing-api-7df5687c7-mgfcr'],
    [
      'the only pod of that beginning',
      { namespace: 'edge', kind: null, name: 'web-fr' },
      'web-frontend-5f8997cc56-mv5hn',
    ],
    [
      'an owner whose pods never appeared',
      { namespace: 'uploads', kind: null, name: 'file-drop' },
      'Deployment/file-drop',
    ],
  ])('%s', async (_what, target, expected) => {
    expect(await cluster.read(target)).toMatchObject({ target: expected })
  })

  test.each([
    [
      'a misspelt pod',
      { namespace: 'shop', kind: null, name: 'orders-apis' },
      ['shop/orders-api', 'shop/orders-admin'],
    ],
    ['another namespace', { namespace: 'billing', kind: null, name: 'web-frontend' }, ['edge/web-frontend']],
    ['another kind', { namespace: 'shop', kind: 'StatefulSet', name: 'checkout-web' }, ['shop/checkout-web']],
    ['a beginning that two share', { namespace: 'shop', kind: null, name: 'ord' }, ['shop/orders-api']],
    ['nothing known', { namespace: 'nowhere', kind: null, name: 'x' }, []],
  ])('nothing for %s, with names that are near', async (_what, target, near) => {
    const read = cluster.read(target)
    await expect(read).rejects.toThrow(NoSuchPod)
    const choices = await read.catch(({ choices }: NoSuchPod) => choices)
    const expected = near.map(name => name.split('/')).map(([namespace, name]) => ({ namespace, name }))
    expect(choices).toEqual(expect.arrayContaining(expected.map(each => expect.objectContaining(each))))
    await expect(read).rejects.toThrow(/^no [^\n]+$/)
  })
})

describe('a namespace', () => {
  test('is all its pods, each as it is by itself', async () => {
    const { pods, fine, cases } = await cluster.triage('shop')
    expect({ pods, fine }).toEqual({ pods: 3, fine: 0 })
    for (const { snapshot } of cases) {
      expect(snapshot).toEqual(await cluster.read({ namespace: 'shop', kind: 'Pod', name: snapshot.target }))
    }
  })

  test.each([
    ['quotes', { pods: 1, fine: 1, cases: [] }],
    ['uploads', { pods: 0, fine: 0, cases: [{ snapshot: { target: 'Deployment/file-drop' } }] }],
  ])('%s has pods that are well, or none', async (namespace, expected) => {
    expect(await cluster.triage(namespace)).toMatchObject(expected)
  })

  test('that is not there comes with all there are', async () => {
    const triage = cluster.triage('nowhere')
    await expect(triage).rejects.toThrow(/^no namespace "nowhere" of the demo cluster; did you mean "shop\/"/)
    const choices = [...new Set(demoPods.map(({ namespace }) => namespace))].map(name =>
      expect.objectContaining({ name }),
    )
    await expect(triage).rejects.toMatchObject({ choices })
  })
})

describe('the recordings', () => {
  test('are all offered as questions, each another one', async () => {
    const files = (await readdir(directory)).sort()
    expect(demoPods.map(({ file }) => file).sort()).toEqual(files)
    expect(new Set(cluster.examples.map(({ text }) => text)).size).toBe(files.length)
    for (const { text } of cluster.examples) expect(text).toMatch(/^\/podwhy [a-z]+\/(Deployment\/)?[a-z0-9-]+$/)
  })

  test('hold no secret-looking value, nor where they were made', async () => {
    for (const file of await readdir(directory)) {
      const recorded = await readFile(new URL(file, directory), 'utf8')
      const values = [...recorded.matchAll(/"(?:[^"\\]|\\.)*"/g)].map(([value]) => value)
      const suspicious = values.filter(value =>
        /:\/\/[^/\s"]+:[^/\s"]+@|(?:password|passwd|secret|token|api[-_]?key)\s*[=:]\s*\S|\b(?:Bearer|Basic) \S|-----BEGIN|xox[a-z]-|gh[pousr]_|AKIA/i.test(
          value,
        ),
      )
      expect(suspicious, file).toEqual([])
      expect(recorded, file).not.toMatch(/managedFields|last-applied-configuration|"table"|team-\d/)
    }
  })

  test('are small enough to ship', async () => {
    const sizes = await Promise.all(
      (await readdir(directory)).map(async file => (await readFile(new URL(file, directory))).length),
    )
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(700_000)
  })
})
