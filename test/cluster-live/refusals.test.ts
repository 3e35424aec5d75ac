import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Access, openAccess } from './access.ts'
import { kubectl } from './kubectl.ts'
import { openScenario, type Scenario } from './scenario.ts'
import { type Service, startService } from './service.ts'
import { shownText } from './thread-text.ts'

let access: Access
let service: Service
let scenario: Scenario

beforeAll(async () => {
  access = await openAccess('podwhy')
  scenario = await openScenario('gateway-migrator-image')
  service = await startService(access.kubeconfig, { PODWHY_NAMESPACES: 'team-*,!team-secret' })
})

afterAll(async () => {
  await scenario?.remove()
  await service?.stop()
  await access?.remove()
})

const anyPod = () => scenario.pods.until(() => true, 60_000)

describe('what cannot be answered on a real cluster is said in one line', () => {
  test('a namespace that may not be asked about: at once, and to the one who asked alone', async () => {
    for (const namespace of ['kube-system', 'team-secret']) {
      const { reply, channel } = await service.command(`${namespace}/coredns`)
      expect(JSON.parse(reply)).toMatchObject({ text: expect.stringContaining(`Namespace ${namespace} is not among`) })
      expect(service.slack.channel(channel)).toEqual([])
    }
  })

  test('a pod that does not exist, with the one that may have been meant', async () => {
    const { pod } = await anyPod()
    const { root } = await service.ask(`${scenario.namespace}/${pod.replace('gateway', 'gatevay')}`)
    expect(root.text).toMatch(/^No pod [^\n]*$/)
    expect(root.text).toContain(pod)
    expect(root.thread).toEqual([])
  })

  test('a namespace that does not exist', async () => {
    const { root } = await service.ask('team-of-nobody/web-1')
    expect(root.text).toMatch(/^[^\n]*no namespace[^\n]*$/i)
  })

  test('a pod that is deleted between question and answer', async () => {
    const { pod } = await anyPod()
    service.worker.signal('SIGSTOP')
    const command = await service.command(`${scenario.namespace}/${pod}`)
    await kubectl(['delete', 'deployment', 'api-gateway', '-n', scenario.namespace])
    await kubectl(['wait', '--for=delete', `pod/${pod}`, '-n', scenario.namespace, '--timeout=60s'])
    service.worker.signal('SIGCONT')
    const { root } = await service.answerTo(command)
    expect(shownText(root)).toContain(pod)
    expect(shownText(root)).toMatch(/gone|no pod/i)
    expect(shownText(root)).not.toMatch(/ready/)
  })

  test('credentials without rights', async () => {
    const stranger = await openAccess('nothing')
    const other = await startService(stranger.kubeconfig)
    try {
      const { root } = await other.ask(`${scenario.namespace}/web-1`)
      expect(root.text).toMatch(/^[^\n]*may not get pods[^\n]*$/)
      expect(root.text).toContain(stranger.user)
      expect(root.thread).toEqual([])
    } finally {
      await other.stop()
      await stranger.remove()
    }
  })

  test('after all this both processes still run, and stop when they are told to', async () => {
    expect(await Promise.all([service.bot.stop(), service.worker.stop()])).toEqual([0, 0])
  })
})
