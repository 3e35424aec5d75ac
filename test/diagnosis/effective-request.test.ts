import { describe, expect, test } from 'vitest'
import { effectiveRequest } from '../../src/diagnosis/effective-request.ts'
import type { ContainerSpec, PodSpec } from '../../src/diagnosis/kubernetes-pod.ts'

const app = (cpu: string, name = 'api'): ContainerSpec => ({ name, resources: { requests: { cpu } } })
const sidecar = (cpu: string): ContainerSpec => ({ ...app(cpu, 'mesh'), restartPolicy: 'Always' })
const init = (cpu: string, name = 'migrate'): ContainerSpec => app(cpu, name)

const cpu = (spec: PodSpec) => {
  const { amount, from } = effectiveRequest(spec, 'cpu')
  return `${amount} from ${from}`
}

describe('the effective request', () => {
  test.each<[string, PodSpec, string]>([
    ['adds up the containers', { containers: [app('100m'), app('200m')] }, '0.3 from containers'],
    ['is nothing where nothing is asked for', { containers: [{ name: 'api' }] }, '0 from containers'],
    ['is nothing for an empty spec', {}, '0 from containers'],
    [
      'is that of an init container larger than all containers',
      { initContainers: [init('4')], containers: [app('1'), app('1')] },
      '4 from init container "migrate"',
    ],
    [
      'names the largest init container, since they run one after the other',
      { initContainers: [init('2', 'fetch'), init('3', 'unpack'), init('1', 'check')], containers: [app('1')] },
      '3 from init container "unpack"',
    ],
    [
      'is that of the containers where an init container takes just as much',
      { initContainers: [init('2')], containers: [app('2')] },
      '2 from containers',
    ],
    [
      'adds sidecars to the containers',
      { initContainers: [sidecar('500m')], containers: [app('1')] },
      '1.5 from containers',
    ],
    [
      'adds a sidecar to an init container declared after it',
      { initContainers: [sidecar('500m'), init('2')], containers: [app('1')] },
      '2.5 from init container "migrate"',
    ],
    [
      'does not add a sidecar to an init container declared before it',
      { initContainers: [init('2'), sidecar('500m')], containers: [app('1')] },
      '2 from init container "migrate"',
    ],
    ['adds the overhead', { overhead: { cpu: '250m' }, containers: [app('1')] }, '1.25 from containers'],
    [
      'is that of the pod where it has one, plus the overhead',
      {
        resources: { requests: { cpu: '3' } },
        overhead: { cpu: '1' },
        initContainers: [init('8')],
        containers: [app('1')],
      },
      '4 from pod resources',
    ],
    [
      'ignores a request of the pod for another resource',
      { resources: { requests: { memory: '1Gi' } }, containers: [app('1')] },
      '1 from containers',
    ],
    [
      "is the pod's limit where nothing else is stated",
      { resources: { limits: { cpu: '2' } }, containers: [{ name: 'api' }] },
      '2 from pod resources',
    ],
    [
      "is the containers' beside a mere limit of the pod",
      { resources: { limits: { cpu: '2' } }, containers: [app('1')] },
      '1 from containers',
    ],
    [
      'takes a limit for a missing request',
      { containers: [{ name: 'api', resources: { limits: { cpu: '700m' } } }] },
      '0.7 from containers',
    ],
    ['takes what is no quantity for nothing', { containers: [app('lots'), app('1')] }, '1 from containers'],
  ])('%s', (_, spec, expected) => {
    expect(cpu(spec)).toBe(expected)
  })

  test('names the init container that alone decides', () => {
    const memory = (name: string, memory: string): ContainerSpec => ({ name, resources: { requests: { memory } } })
    const spec = { initContainers: [memory('unpack', '12Gi')], containers: [memory('api', '256Mi')] }
    expect(effectiveRequest(spec, 'memory')).toEqual({
      amount: 12 * 2 ** 30,
      from: 'init container "unpack"',
      initContainer: 'unpack',
    })
  })

  test('of three tenths fits into three tenths', () => {
    expect(effectiveRequest({ containers: [app('100m'), app('100m'), app('100m')] }, 'cpu').amount).toBe(0.3)
  })
})
