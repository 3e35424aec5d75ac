import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openCluster } from '../../src/cluster/cluster.ts'
import { KubeconfigError, listContexts } from '../../src/cluster/kubeconfig.ts'
import { startKubeApiServer } from '../fakes/kube-api-server.ts'
import { shop, testPod } from './open-test-cluster.ts'

const folder = () => {
  const path = mkdtempSync(join(tmpdir(), 'podwhy-kubeconfig-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}
const write = (content: string | object, at = join(folder(), 'config')) => {
  writeFileSync(at, typeof content === 'string' ? content : JSON.stringify(content))
  return at
}
const config = (
  clusters: Record<string, object>,
  {
    user = {},
    namespace,
    current = Object.keys(clusters)[0],
  }: { user?: object; namespace?: string; current?: string } = {},
) => ({
  'current-context': current,
  clusters: Object.entries(clusters).map(([name, cluster]) => ({ name, cluster })),
  users: [{ name: 'me', user }],
  contexts: Object.keys(clusters).map(name => ({ name, context: { cluster: name, user: 'me', namespace } })),
})

const openServer = async (tokens?: Set<string>) => {
  const server = await startKubeApiServer({
    recordings: [shop({ pods: [testPod('web-1')] })],
    ...(tokens ? { tokens } : {}),
  })
  onTestFinished(() => server.close())
  return server
}
const open = async (options: Parameters<typeof openCluster>[0]) => {
  const cluster = await openCluster({ diagnose: () => ({ requests: [] }), ...options })
  onTestFinished(() => cluster.close())
  return cluster
}
const target = { namespace: 'shop', kind: null, name: 'web-1' }

describe('contexts', () => {
  it('are listed with their namespaces, over all files, the first file first', () => {
    const first = write(
      config({ prod: { server: 'https://a' }, stage: { server: 'https://b' } }, { namespace: 'shop' }),
    )
    const second = write(config({ prod: { server: 'https://c' }, dev: { server: 'https://d' } }))
    expect(listContexts({ kubeconfig: [first, join(folder(), 'none'), second].join(delimiter) })).toEqual([
      { name: 'prod', namespace: 'shop', current: true },
      { name: 'stage', namespace: 'shop', current: false },
      { name: 'dev', namespace: null, current: false },
    ])
  })

  it('can be open side by side, each with its own server', async () => {
    const [one, two] = [await openServer(), await openServer()]
    const kubeconfig = write(
      config({ one: { server: one.url }, two: { server: `${two.url}/` } }, { namespace: 'shop' }),
    )
    const opened = await open({ kubeconfig })
    const named = await open({ kubeconfig, context: 'two', name: 'production' })
    expect([opened.name, opened.namespace, opened.server]).toEqual(['one', 'shop', one.url])
    expect((await opened.read(target)).cluster).toBe('one')
    expect((await named.read(target)).cluster).toBe('production')
    expect([one.calls.length, two.calls.length].map(count => count > 0)).toEqual([true, true])
  })
})

it('calls go through the proxy that the kubeconfig names', async () => {
  const server = await openServer()
  const seen: string[] = []
  const proxy = createServer((incoming, response) => {
    seen.push(incoming.url ?? '')
    request(incoming.url ?? '', { headers: incoming.headers }, answer => answer.pipe(response)).end()
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  onTestFinished(() => {
    proxy.close()
    proxy.closeAllConnections()
  })
  const proxyUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  const kubeconfig = write(config({ test: { server: server.url, 'proxy-url': proxyUrl } }))
  expect((await (await open({ kubeconfig })).read(target)).target).toBe('web-1')
  expect(seen).toContain(`${server.url}/api/v1/namespaces/shop/pods/web-1`)
})

describe('credentials', () => {
  it.each([
    ['a token', { token: 'secret' }],
    [
      'an exec plugin',
      (script: string) => ({ exec: { apiVersion: 'client.authentication.k8s.io/v1', command: script } }),
    ],
  ])('of %s are sent', async (_, user) => {
    const server = await openServer(new Set(['secret']))
    const home = folder()
    const status = JSON.stringify({ kind: 'ExecCredential', status: { token: 'secret' } })
    writeFileSync(join(home, 'plugin.sh'), `#!/bin/sh\necho '${status}'\n`, { mode: 0o755 })
    const settings = typeof user === 'function' ? user('./plugin.sh') : user
    const kubeconfig = write(config({ test: { server: server.url } }, { user: settings }), join(home, 'config'))
    const cluster = await open({ kubeconfig })
    expect((await cluster.read(target)).target).toBe('web-1')
  })

  it('in files are found beside the kubeconfig', async () => {
    const server = await openServer(new Set(['secret']))
    const home = folder()
    mkdirSync(join(home, 'tokens'))
    writeFileSync(join(home, 'tokens', 'mine'), 'secret\n')
    const user = { tokenFile: 'tokens/mine', token: 'older, and less good' }
    const kubeconfig = write(config({ test: { server: server.url } }, { user }), join(home, 'config'))
    expect((await (await open({ kubeconfig })).read(target)).target).toBe('web-1')
  })

  it('are read again from a kubeconfig that changed after they were refused', async () => {
    const tokens = new Set(['first'])
    const server = await openServer(tokens)
    const kubeconfig = write(config({ test: { server: server.url } }, { user: { token: 'first' } }))
    const cluster = await open({ kubeconfig })
    await cluster.read(target)
    tokens.clear()
    tokens.add('second')
    write(config({ test: { server: server.url } }, { user: { token: 'second' } }), kubeconfig)
    expect((await cluster.read(target)).target).toBe('web-1')
  })

  it('that cannot be had are one clear line', async () => {
    const server = await openServer()
    const user = { exec: { apiVersion: 'client.authentication.k8s.io/v1', command: 'no-such-plugin-of-podwhy' } }
    const cluster = await open({ kubeconfig: write(config({ test: { server: server.url } }, { user })) })
    const error: unknown = await cluster.read(target).then(
      () => null,
      thrown => thrown,
    )
    expect(error).toBeInstanceOf(KubeconfigError)
    expect((error as Error).message).toMatch(/^credentials of context "test": .*no-such-plugin-of-podwhy/)
  })
})

describe('a kubeconfig is refused in one line when it', () => {
  it.each<[string, () => { kubeconfig: string; context?: string }, RegExp]>([
    [
      'is missing',
      () => ({ kubeconfig: '/nowhere/config' }),
      /^kubeconfig \/nowhere\/config does not exist; set KUBECONFIG$/,
    ],
    ['is not YAML', () => ({ kubeconfig: write('a: [b') }), /^kubeconfig \S+ is not YAML: /],
    ['is something else', () => ({ kubeconfig: write('just text') }), /^kubeconfig \S+ is not a kubeconfig/],
    ['is empty', () => ({ kubeconfig: write('') }), /^kubeconfig \S+ is not a kubeconfig/],
    ['is a folder', () => ({ kubeconfig: folder() }), /^kubeconfig \S+ .*EISDIR/],
    [
      'has no server',
      () => ({ kubeconfig: write(config({ prod: {} })) }),
      /malformed: clusters\[0\]\.cluster\.server is missing/,
    ],
    [
      'has no such context',
      () => ({ kubeconfig: write(config({ prod: { server: 'https://a' } })), context: 'stage' }),
      /^the kubeconfig has no context "stage"; it has "prod"$/,
    ],
    [
      'has no current context',
      () => ({ kubeconfig: write(config({ prod: { server: 'https://a' } }, { current: '' })) }),
      /^the kubeconfig has no current-context; name one$/,
    ],
    [
      'has a context without its cluster',
      () => ({
        kubeconfig: write({
          clusters: [],
          contexts: [{ name: 'x', context: { cluster: 'y' } }],
          'current-context': 'x',
        }),
      }),
      /^context "x" names cluster "y", which the kubeconfig does not have$/,
    ],
  ])('%s', async (_, options, message) => {
    const error: unknown = await openCluster(options()).then(
      () => null,
      thrown => thrown,
    )
    expect(error).toBeInstanceOf(KubeconfigError)
    expect((error as Error).message).toMatch(message)
    expect((error as Error).message).not.toContain('\n')
  })
})

it('outside of a cluster, the service account of one is refused in one line', async () => {
  await expect(openCluster({ inCluster: true })).rejects.toThrow(/^not in a cluster: KUBERNETES_SERVICE_HOST/)
})
