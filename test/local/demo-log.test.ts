import { expect, it } from 'vitest'
import { demoCluster } from '../../src/local/demo-cluster.ts'

const pod = { namespace: 'documents', kind: 'Pod', name: 'pdf-renderer-54c6ffd4ff-zkxsb' }

it('about a demo pod there is its recording without logs', async () => {
  const about = await demoCluster().about(pod)
  expect(about.pod).toMatchObject({ metadata: { name: pod.name } })
  expect(about.logs).toEqual({})
})

it('its log is the recorded one; of a log that was not recorded it says so', async () => {
  const demo = demoCluster()
  const { logs } = await demo.read(pod)
  const [container = '', texts] = Object.entries(logs).find(([, { current }]) => current !== null) ?? []
  const of = { namespace: pod.namespace, pod: pod.name, container, instance: 'current' } as const
  expect(await demo.log(of)).toEqual({ text: texts?.current, omittedBytes: 0, cut: null, missing: null })
  expect(await demo.log({ ...of, container: 'none' })).toMatchObject({ text: '', missing: expect.stringMatching(/./) })
})
