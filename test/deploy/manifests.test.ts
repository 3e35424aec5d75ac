import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { healthRoutes } from '../../src/cli/health-routes.ts'
import { usedRights, watchRight } from '../../src/cluster/resources.ts'
import { ConfigError, type Role, readConfig, variables } from '../../src/config.ts'
import { openMetrics } from '../../src/metrics.ts'

const deploy = join(import.meta.dirname, '../../deploy')
const read = (file: string) => readFileSync(join(deploy, file), 'utf8')

interface Env {
  readonly name: string
  readonly value?: string
  readonly valueFrom?: {
    readonly secretKeyRef: { readonly name: string; readonly key: string; readonly optional?: boolean }
  }
}
interface Container {
  readonly image: string
  readonly args: readonly string[]
  readonly env: readonly Env[]
  readonly ports: readonly { readonly name: string }[]
  readonly resources: { readonly requests: object; readonly limits: { readonly memory?: string } }
  readonly securityContext: object
  readonly readinessProbe: { readonly httpGet?: { readonly path: string; readonly port: string } }
  readonly livenessProbe: { readonly httpGet?: { readonly path: string; readonly port: string } }
}
interface PodSpec {
  readonly serviceAccountName?: string
  readonly automountServiceAccountToken: boolean
  readonly terminationGracePeriodSeconds: number
  readonly securityContext: Record<string, unknown>
  readonly containers: readonly [Container]
}
type Labels = Readonly<Record<string, string>>
/** An object of a manifest, as far as these tests look into it. */
interface Manifest {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string; readonly labels?: Labels }
  readonly automountServiceAccountToken?: boolean
  readonly data?: Record<string, string>
  readonly stringData?: Record<string, string>
  readonly rules?: readonly { readonly apiGroups: string[]; readonly resources: string[]; readonly verbs: string[] }[]
  readonly spec: {
    readonly selector: Labels & { readonly matchLabels: Labels }
    readonly template: { readonly metadata: { readonly labels: Labels }; readonly spec: PodSpec }
    readonly podSelector: { readonly matchLabels: Labels }
    readonly ingress: readonly [
      {
        readonly from: readonly [
          { readonly podSelector: { readonly matchExpressions: readonly { readonly values: string[] }[] } },
        ]
      },
    ]
  }
}

const kustomization = parse(read('kustomization.yaml'))
const component = parse(read('split/kustomization.yaml'))
const manifests = (file: string): Manifest[] =>
  parseAllDocuments(read(file)).map(document => {
    expect(document.errors).toEqual([])
    return document.toJS()
  })
const applied: Manifest[] = [
  ...kustomization.resources,
  ...component.resources.map((file: string) => `split/${file}`),
].flatMap(manifests)
const [secret] = manifests('secret.yaml')
const find = (kind: string, name = 'podwhy') => {
  const found = applied.find(each => each.kind === kind && each.metadata.name === name)
  if (!found) throw new Error(`no ${kind} ${name}`)
  return found
}
const workloads = applied.filter(({ kind }) => ['Deployment', 'StatefulSet'].includes(kind))
const podwhys = workloads.filter(({ kind }) => kind === 'Deployment')
const named = (list: readonly Manifest[]) => list.map(each => [`${each.kind} ${each.metadata.name}`, each] as const)
const podOf = ({ spec }: Manifest) => spec.template.spec
const containerOf = (workload: Manifest) => podOf(workload).containers[0]

describe('access', () => {
  test('the role grants exactly what podwhy reads and watches, each right once', () => {
    const granted = find('ClusterRole').rules?.flatMap(({ apiGroups, resources, verbs }) =>
      apiGroups.flatMap(group => resources.flatMap(resource => verbs.map(verb => ({ verb, group, resource })))),
    )
    const inOrder = (rights: typeof granted) => rights?.map(right => JSON.stringify(right)).sort()
    expect(inOrder(granted)).toEqual(inOrder([...usedRights, watchRight]))
  })

  test('only pods that read the cluster mount the account, and they are the workers and the whole', () => {
    expect(find('ServiceAccount').automountServiceAccountToken).toBe(false)
    const mounting = workloads.filter(each => podOf(each).automountServiceAccountToken)
    expect(mounting.map(each => containerOf(each).args)).toEqual([
      ['serve', '--role', 'all'],
      ['serve', '--role', 'worker'],
    ])
    const asBot = parse(component.patches[0].patch)
    expect(asBot).toContainEqual({
      op: 'replace',
      path: '/spec/template/spec/automountServiceAccountToken',
      value: false,
    })
    expect(asBot).toContainEqual(expect.objectContaining({ value: ['serve', '--role', 'bot'] }))
  })
})

describe('pods', () => {
  test.each(named(workloads))('%s keeps to PodSecurity restricted, on a read-only root', (_, workload) => {
    expect(podOf(workload).securityContext).toMatchObject({
      runAsNonRoot: true,
      runAsUser: expect.any(Number),
      seccompProfile: { type: 'RuntimeDefault' },
    })
    expect(containerOf(workload).securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
  })

  test.each(named(workloads))('%s has a fixed image, bounded memory and both probes', (_, workload) => {
    const { image, resources, readinessProbe, livenessProbe } = containerOf(workload)
    const { newTag } = kustomization.images.find(({ name }: { name: string }) => name === image) ?? {}
    expect(newTag ?? image.split(':')[1]).toMatch(/^\d+\.\d+/)
    expect(resources.limits.memory).toMatch(/^\d+Mi$/)
    expect(resources.requests).toHaveProperty('cpu')
    expect([readinessProbe, livenessProbe]).not.toContain(undefined)
  })

  test.each(named(podwhys))('%s is probed where podwhy answers, and may take its 15 s to stop', (_, workload) => {
    const routes = healthRoutes({ parts: async () => ({}), metrics: openMetrics(), queueMetrics: async () => '' })
    const served = routes.map(({ path }) => path)
    const { readinessProbe, livenessProbe, ports } = containerOf(workload)
    for (const probe of [readinessProbe, livenessProbe]) {
      expect(served).toContain(probe.httpGet?.path)
      expect(ports.map(({ name }) => name)).toContain(probe.httpGet?.port)
    }
    expect(podOf(workload).terminationGracePeriodSeconds).toBeGreaterThanOrEqual(20)
  })

  test.each(named(workloads))('%s selects its own pods', (_, { spec }) => {
    expect(spec.template.metadata.labels).toMatchObject(spec.selector.matchLabels)
  })

  test.each(named(applied.filter(({ kind }) => kind === 'Service')))(
    '%s selects the pods of one workload',
    (_, service) => {
      const behind = workloads.filter(({ spec }) => {
        const { labels } = spec.template.metadata
        return Object.entries(service.spec.selector).every(([label, value]) => labels[label] === value)
      })
      expect(behind.map(({ metadata }) => metadata.name)).toEqual([service.metadata.name])
    },
  )

  test('a worker differs from the whole in its role and in hearing neither Slack nor alerts, in nothing else', () => {
    const [whole, worker] = [find('Deployment'), find('Deployment', 'podwhy-worker')].map(workload => ({
      pod: { ...podOf(workload), containers: [] },
      container: {
        ...containerOf(workload),
        args: [],
        env: containerOf(workload).env.filter(({ name }) => !/^(?:SLACK_(?:APP|SIGNING)|PODWHY_ALERTS)/.test(name)),
      },
    }))
    expect(worker).toEqual(whole)
  })
})

describe('settings', () => {
  /** What the process would be given, secrets as in `values`. */
  const environment = (workload: Manifest, values: Readonly<Record<string, string>>) => {
    const env: Record<string, string> = { ...find('ConfigMap').data, KUBERNETES_SERVICE_HOST: '10.0.0.1' }
    for (const { name, value, valueFrom } of containerOf(workload).env) {
      const given = value ?? values[valueFrom?.secretKeyRef.key ?? '']
      if (given !== undefined) env[name] = given.replace(/\$\((\w+)\)/g, (_, other) => env[other] ?? '')
    }
    return env
  }
  const roleOf = (workload: Manifest) => containerOf(workload).args[2] as Role
  const socketMode = { SLACK_BOT_TOKEN: 'xoxb-1-2-abc', SLACK_APP_TOKEN: 'xapp-1-2-abc', REDIS_PASSWORD: 'abc' }
  const http = { SLACK_BOT_TOKEN: 'xoxb-1-2-abc', SLACK_SIGNING_SECRET: '0123456789abcdef', REDIS_PASSWORD: 'abc' }

  test.each(named(podwhys))('%s starts with them, over Socket Mode and over HTTP', (_, workload) => {
    for (const values of [socketMode, http]) {
      const config = readConfig(environment(workload, values), { role: roleOf(workload) })
      expect(config).toMatchObject({
        inCluster: true,
        cluster: 'my-cluster',
        queueUrl: 'redis://:abc@podwhy-redis:6379',
      })
    }
  })

  test.each(named(podwhys))('%s refuses to start on the placeholders of the secret', (_, workload) => {
    const start = () => readConfig(environment(workload, secret?.stringData ?? {}), { role: roleOf(workload) })
    expect(start).toThrow(ConfigError)
  })

  test('name variables that podwhy has', () => {
    const names = podwhys
      .flatMap(each => containerOf(each).env.map(({ name }) => name))
      .concat(Object.keys(find('ConfigMap').data ?? {}))
    const known = variables.map(({ name }) => name).concat('REDIS_PASSWORD')
    expect(names.filter(name => !known.includes(name))).toEqual([])
  })

  test('are in the secret where a pod needs them, and applying again leaves the secret alone', () => {
    const needed = workloads
      .flatMap(each => containerOf(each).env)
      .flatMap(({ valueFrom }) => valueFrom?.secretKeyRef ?? [])
    expect(needed.length).toBeGreaterThan(4)
    for (const { name, key, optional } of needed) {
      expect(name).toBe(secret?.metadata.name)
      if (!optional) expect(secret?.stringData).toHaveProperty(key)
    }
    expect(applied.map(({ kind }) => kind)).not.toContain('Secret')
  })

  test('make Redis keep what it was given', () => {
    expect(containerOf(find('StatefulSet', 'podwhy-redis')).args.join(' ')).toMatch(
      /--appendonly yes --appendfsync everysec .*--maxmemory-policy noeviction/,
    )
  })

  test('let every podwhy, and only podwhy, reach Redis', () => {
    const { podSelector, ingress } = find('NetworkPolicy', 'podwhy-redis').spec
    expect(find('StatefulSet', 'podwhy-redis').spec.template.metadata.labels).toEqual(podSelector.matchLabels)
    const admitted = ingress[0].from[0].podSelector.matchExpressions[1]?.values
    expect(admitted).toEqual(podwhys.map(({ spec }) => spec.template.metadata.labels['app.kubernetes.io/component']))
  })
})

describe('the image', () => {
  const lines = read('Dockerfile').split('\n')
  const { version } = JSON.parse(readFileSync(join(deploy, '../package.json'), 'utf8'))

  test('is built on fixed versions', () => {
    const bases = lines.flatMap(line => /^FROM (\S+)/.exec(line)?.[1] ?? [])
    expect(bases).toHaveLength(2)
    for (const base of bases) expect(base).toMatch(/24/)
    expect(kustomization.images[0].newTag).toBe(version)
  })

  test('runs as the user that the pods name, without a shell', () => {
    const user = lines.findLast(line => line.startsWith('USER '))
    expect(user).toMatch(/^USER \d+:\d+$/)
    for (const each of podwhys) {
      const { runAsUser, runAsGroup } = podOf(each).securityContext
      expect(`USER ${runAsUser}:${runAsGroup}`).toBe(user)
    }
    const lastStage = lines.slice(lines.findLastIndex(line => line.startsWith('FROM ')))
    expect(lastStage.filter(line => line.startsWith('RUN'))).toEqual([])
    for (const line of lastStage.filter(each => /^(?:ENTRYPOINT|CMD)/.test(each))) {
      expect(JSON.parse(line.replace(/^\w+ /, ''))).toBeInstanceOf(Array)
    }
  })

  test('copies only files that the build is given', () => {
    const given = read('Dockerfile.dockerignore')
      .split('\n')
      .flatMap(line => /^!(.+)/.exec(line)?.[1] ?? [])
    const copied = lines.filter(line => /^COPY (?!--from)/.test(line)).flatMap(line => line.split(' ').slice(1, -1))
    expect(copied.length).toBeGreaterThan(4)
    expect(copied.filter(file => !given.includes(file))).toEqual([])
  })
})
