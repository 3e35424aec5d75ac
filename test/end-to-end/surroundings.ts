import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type KubeApiServer, startKubeApiServer } from '../fakes/kube-api-server.ts'
import { SIGNING_SECRET } from '../fakes/slack-request.ts'
import { SlackServer } from '../fakes/slack-server.ts'
import { crashing } from './crashing.ts'
import { type Environment, type Service, startService } from './service.ts'

/** What a service needs around it, all on the loopback: a Slack, a cluster, a directory for its data. */
export interface Surroundings {
  readonly slack: SlackServer
  readonly kube: KubeApiServer
  /** Tokens that the cluster accepts; the services have the first. */
  readonly tokens: Set<string>
  /** Where the embedded engine keeps its data. */
  readonly dataDir: string
  /** What each service's environment has. */
  readonly env: Environment
  /** Starts a service here. `role`: `all` on the embedded engine, unless `env` says otherwise. */
  start(options?: { role?: 'all' | 'bot' | 'worker'; env?: Environment }): Promise<Service>
  /** Ends every service at once, and all the rest. */
  close(): Promise<void>
}

/** Opens a Slack and a cluster for a test's services; without recordings it has one crashing pod. */
export const openSurroundings = async ({ recordings = [crashing()] } = {}): Promise<Surroundings> => {
  const slack = await SlackServer.start()
  const tokens = new Set(['first-token'])
  const kube = await startKubeApiServer({ recordings, tokens })
  const dataDir = mkdtempSync(join(tmpdir(), 'podwhy-data-'))
  const services = new Set<Service>()
  const env = {
    SLACK_BOT_TOKEN: 'xoxb-test-token',
    SLACK_SIGNING_SECRET: SIGNING_SECRET,
    SLACK_API_URL: slack.apiUrl,
    KUBECONFIG: kube.kubeconfig({ token: 'first-token' }),
    PODWHY_DATA_DIR: dataDir,
  }
  return {
    ...{ slack, kube, tokens, dataDir, env },
    async start({ role = 'all', env: more = {} } = {}) {
      const service = await startService(['--role', role], { ...env, ...more })
      services.add(service)
      return service
    },
    async close() {
      await Promise.all([...services].map(service => service.end('SIGKILL')))
      await Promise.all([slack.close(), kube.close()])
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
