import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { hasAnswer, isAnsweredOnce, target } from './crashing.ts'
import { run, type Service } from './service.ts'
import { openSurroundings, type Surroundings } from './surroundings.ts'

const minutes = 60_000

let around: Surroundings
beforeEach(async () => {
  around = await openSurroundings()
})
afterEach(() => around?.close())

/** Sends SIGTERM, and waits until it shows: nothing is listening any more. */
const beginToStop = async (service: Service) => {
  const ending = service.end('SIGTERM')
  await vi.waitFor(() => expect(fetch(`${service.url}/healthz`)).rejects.toThrow(), { timeout: 10_000, interval: 20 })
  return ending
}

describe('SIGTERM while a question is being answered', () => {
  it('lets the answer be finished, then ends with exit code 0', async () => {
    const service = await around.start()
    const hold = around.slack.hold('chat.postMessage', 'arrival')
    await service.ask(target)
    await hold.reached
    const ending = beginToStop(service)
    hold.release()
    expect(await ending).toEqual({ code: 0, signal: null })
    expect(around.slack.channel('C1')).toSatisfy(isAnsweredOnce)
    expect(service.stderr()).not.toMatch(/\n\s+at |\\n\s+at /)
  })

  it(
    'hands it back when Slack does not answer; the next start answers it, once',
    async () => {
      const service = await around.start()
      const hold = around.slack.hold('chat.postMessage', 'answer')
      await service.ask(target)
      await hold.reached
      expect(await service.end('SIGTERM')).toEqual({ code: 0, signal: null })
      expect(service.stderr()).not.toMatch(/\n\s+at |\\n\s+at /)
      hold.drop()

      const restartedAt = performance.now()
      const next = await around.start()
      await vi.waitFor(() => expect(around.slack.channel('C1')).toSatisfy(hasAnswer), { timeout: 30_000, interval: 20 })
      expect(performance.now() - restartedAt).toBeLessThan(15_000)
      await next.idle()
      expect(around.slack.channel('C1')).toSatisfy(isAnsweredOnce)
    },
    2 * minutes,
  )
})

describe('a cluster that is down', () => {
  it(
    'is named in place of an answer, with the time since when it is away; podwhy itself goes on',
    async () => {
      const kubeconfig = join(around.dataDir, 'kubeconfig')
      copyFileSync(around.env['KUBECONFIG'] ?? '', kubeconfig)
      await around.kube.close()
      const service = await around.start({ env: { KUBECONFIG: kubeconfig } })
      await service.ask(target)
      await vi.waitFor(() => expect(around.slack.channel('C1')[0]?.text).toContain('cannot be'), { timeout: 60_000 })
      await service.idle()
      const messages = around.slack.channel('C1')
      expect(messages).toMatchObject([{ thread: [] }])
      expect(messages[0]?.text).toMatch(/^Cluster test cannot be reached since [\d:]{8} UTC \(.*ECONNREFUSED.*\)\.$/)
      expect((await fetch(`${service.url}/healthz`)).status).toBe(200)
      expect(service.stderr()).not.toMatch(/\n\s+at |\\n\s+at /)
    },
    2 * minutes,
  )
})

describe('a start that cannot succeed ends with exit code 2', () => {
  const ran = async (env: Record<string, string>, args: string[] = []) => {
    const { child, said, ended } = run(args, { ...around.env, PORT: '0', ...env })
    onTestFinished(() => void child.kill('SIGKILL'))
    const { code } = await ended
    return { code, lines: said.err.trim().split('\n') }
  }

  it('on a data directory in use: one line that says what to do; the first goes on', async () => {
    const first = await around.start()
    const { code, lines } = await ran({ PODWHY_LOG_LEVEL: 'error' })
    expect(code).toBe(2)
    expect(lines).toEqual([
      expect.stringMatching(/^podwhy: Another podwhy is running on the data directory \S+\. Stop it/),
    ])
    await first.ask(target)
    await first.idle()
    expect(around.slack.channel('C1')).toSatisfy(isAnsweredOnce)
  })

  it('with a wrong configuration: every mistake at once, one line each', async () => {
    const { code, lines } = await ran(
      {
        SLACK_BOT_TOKEN: 'xoxp-a-user-token',
        SLACK_APP_TOKEN: 'xoxb-another-token',
        PODWHY_NAMESPACE: 'shop',
        PODWHY_LOG_LEVEL: 'loud',
        PORT: 'http',
      },
      ['--role', 'worker'],
    )
    expect(code).toBe(2)
    for (const name of [
      'SLACK_BOT_TOKEN',
      'SLACK_APP_TOKEN',
      'PODWHY_NAMESPACE',
      'PODWHY_LOG_LEVEL',
      'PORT',
      'PODWHY_QUEUE_URL',
    ]) {
      expect(lines).toContainEqual(expect.stringMatching(new RegExp(`^podwhy: ${name}: `)))
    }
    expect(lines).toHaveLength(6)
    expect(lines.join()).not.toContain('a-user-token')
  })

  it('with a token that Slack refuses: one line that names it', async () => {
    around.slack.fail('auth.test', { kind: 'error', error: 'invalid_auth' }, 9)
    const { code, lines } = await ran({ PODWHY_LOG_LEVEL: 'error' })
    expect(code).toBe(2)
    expect(lines).toEqual([expect.stringMatching(/^podwhy: Slack refuses SLACK_BOT_TOKEN \(invalid_auth\)/)])
  })

  it('with a kubeconfig that is not there: one line that names it', async () => {
    const { code, lines } = await ran({ KUBECONFIG: '/nonexistent/config', PODWHY_LOG_LEVEL: 'error' })
    expect(code).toBe(2)
    expect(lines).toEqual([expect.stringContaining('/nonexistent/config')])
  })

  it('with a port in use: one line that names it', async () => {
    const port = Number(new URL(around.slack.origin).port)
    const { code, lines } = await ran({ PORT: String(port), PODWHY_LOG_LEVEL: 'error' })
    expect(code).toBe(2)
    expect(lines).toEqual([expect.stringContaining(String(port))])
  })

  it('with a role that does not exist: one line that names those that do', async () => {
    const { code, lines } = await ran({}, ['--role', 'boss'])
    expect(code).toBe(2)
    expect(lines).toEqual([expect.stringContaining('worker')])
  })
})
