import { homedir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { type AlertRoute, parseAlertRoutes } from './alerts/alert-routes.ts'
import { list, pairs, parsed, secret, text, token, url } from './variable-kinds.ts'

/** Mistakes in the environment, all of them at once: one line each in `mistakes` and in `message`. */
export class ConfigError extends Error {
  override name = 'ConfigError'
  readonly mistakes: readonly string[]
  constructor(mistakes: readonly string[]) {
    super(mistakes.join('\n'))
    this.mistakes = mistakes
  }
}

/** Which part of the service a process is. */
export type Role = 'all' | 'bot' | 'worker'

type Environment = Readonly<Record<string, string | undefined>>

const namespaceName = /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/
const channelId = /^[CGD][A-Z0-9]{6,}$/

/** Every variable that podwhy reads, and what it means. */
const Variables = z.object({
  SLACK_BOT_TOKEN: token('xoxb-', "Slack app's bot token (`xoxb-…`); unset: the local page stands in for Slack"),
  SLACK_APP_TOKEN: token('xapp-', 'app-level token (`xapp-…`): Slack is reached by Socket Mode, no public URL needed'),
  SLACK_SIGNING_SECRET: secret(
    16,
    "copy it from the Slack app's Basic Information",
    'signing secret: Slack calls podwhy over HTTP; with `SLACK_APP_TOKEN` set, Socket Mode goes first',
  ),
  SLACK_API_URL: url(['https:', 'http:'], "another Slack Web API, for tests (default Slack's own)"),
  KUBECONFIG: text("kubeconfig files (default `~/.kube/config`, in a cluster the pod's service account)"),
  PODWHY_CLUSTER: text("cluster's name in answers (default the context's name; `serve` needs it in a cluster)"),
  PODWHY_CONTEXTS: list('kubeconfig contexts that may be asked about, separated by commas (default the current one)'),
  PODWHY_KUBECONFIGS: pairs(
    'NAME=PATH, separated by commas',
    'more clusters, `NAME=PATH,…`: each the current context of a kubeconfig of its own',
  ),
  PODWHY_CLUSTER_LABEL: list(
    "alerts' labels that name their cluster, the first found counts (default `cluster`)",
  ).refine(names => names?.every(name => /^[a-zA-Z_]\w*$/.test(name)) ?? true, {
    error: ({ input }) => `"${input}" is not a label's name; values of the label belong to PODWHY_CLUSTER_LABELS`,
  }),
  PODWHY_CLUSTER_LABELS: pairs(
    'VALUE=CLUSTER, separated by commas',
    "clusters by their label's value in alerts, `VALUE=CLUSTER,…`, where it is not the cluster's name",
  ),
  PODWHY_NAMESPACES: list('namespaces that may be asked about: globs, `!` forbids (default `*,!kube-system`)'),
  PODWHY_DEFAULT_NAMESPACE: z
    .string()
    .regex(namespaceName, {
      error: ({ input }) => `"${input}" cannot be the name of a namespace`,
    })
    .optional()
    .describe('namespace of targets that name none (default: ask back)'),
  PODWHY_CHANNEL_NAMESPACES: pairs(
    'CHANNEL=NAMESPACE, separated by commas',
    'the same by channel, `C0123ABCD=shop,…`: ids from the end of the channel’s details',
  ).superRefine((channels, context) => {
    const add = (message: string) => context.addIssue({ code: 'custom', message })
    for (const [channel, namespace] of channels ?? []) {
      // What is no pair has been told already.
      if (channel === '') continue
      if (!channelId.test(channel))
        add(`"${channel}" is not a channel's id; copy it (C…) from the end of the channel's details`)
      if (!namespaceName.test(namespace)) add(`"${namespace}" cannot be the name of a namespace`)
    }
  }),
  PODWHY_QUEUE_URL: url(['redis:', 'rediss:'], 'Redis that holds the queue (default an embedded database)'),
  PODWHY_DATA_DIR: text('directory of the embedded database (default `~/.local/share/podwhy`)'),
  PORT: z
    .string()
    .refine(value => /^\d{1,5}$/.test(value) && Number(value) <= 65_535, {
      error: ({ input }) => `"${input}" is not a port; write a number from 0 to 65535`,
    })
    .transform(Number)
    .optional()
    .describe('port of the HTTP server, 0 for any free one (default 3000)'),
  PODWHY_LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
      error: ({ input }) => `"${input}" is not a level; write trace, debug, info, warn, error, fatal or silent`,
    })
    .optional()
    .describe('least severe log lines to write (default `info`)'),
  PODWHY_ALERTS_TOKEN: secret(
    16,
    'use at least 16 characters, no blanks',
    "token of Alertmanager's webhook, as bearer or as basic auth's password (unset: no webhook)",
  ),
  PODWHY_ALERTS_CHANNEL: z
    .string()
    .regex(/^[CG][A-Z0-9]{6,}$/, {
      error: ({ input }) => `"${input}" is not a channel's id; copy it (C…) from the end of the channel's details`,
    })
    .optional()
    .describe("id of the channel for the webhook's alerts that name none (unset: those are ignored)"),
  PODWHY_ALERTS_ROUTES: parsed(
    parseAlertRoutes,
    "channels of the webhook's alerts by their labels, `LABEL=GLOB[&LABEL=GLOB…]:CHANNEL,…`: the first that matches",
  ),
  PODWHY_ALERTS_BOTS: list('bots whose posts are alerts whatever their form, by id (`B…`) or name with `-` for blanks'),
  PODWHY_RECOVERED_AFTER: z
    .string()
    .regex(/^[1-9]\d{0,4}[sm]$/, { error: ({ input }) => `"${input}" is not a duration; write 10m or 90s` })
    .transform(value => Number(value.slice(0, -1)) * (value.endsWith('m') ? 60_000 : 1_000))
    .optional()
    .describe('how long an alert’s pods have to be Ready to count as recovered (default `10m`)'),
  PODWHY_WATCH: z
    .enum(['true', 'false'], { error: ({ input }) => `"${input}" is neither; write true or false` })
    .transform(value => value === 'true')
    .optional()
    .describe('`true`: watch pods and keep the first crash of each container for a day (default `false`)'),
  PODWHY_DEBUG: text('`1`: unexpected errors print their stack'),
})

/** The variables as README's table has them. */
export const variables: readonly { readonly name: string; readonly doc: string }[] = Object.entries(
  Variables.shape,
).map(([name, variable]) => ({ name, doc: variable.description ?? '' }))

/** What `serve` runs with. */
export interface Config {
  /** Null: no Slack, the local page instead. */
  readonly slack: {
    readonly botToken: string
    /** Socket Mode; goes before the signing secret. */
    readonly appToken: string | null
    readonly signingSecret: string | null
    readonly apiUrl: string | null
  } | null
  /** Value of KUBECONFIG. */
  readonly kubeconfig: string | undefined
  /** Running in a pod, with its service account and no KUBECONFIG. */
  readonly inCluster: boolean
  readonly cluster: string | undefined
  /** Empty: the current context alone. */
  readonly contexts: readonly string[]
  /** Clusters with a kubeconfig of their own: name and path. */
  readonly kubeconfigs: readonly (readonly [string, string])[]
  /** Alerts' labels that name a cluster. */
  readonly clusterLabel: readonly string[]
  /** Values of such a label, and the clusters they mean. */
  readonly clusterLabels: readonly (readonly [string, string])[]
  readonly namespaces: readonly string[]
  readonly defaultNamespace: string | null
  /** By channel id; these go before the default one. */
  readonly channelNamespaces: ReadonlyMap<string, string>
  /** Null: the embedded engine. */
  readonly queueUrl: string | null
  readonly dataDir: string
  readonly port: number
  readonly logLevel: string
  readonly alertsToken: string | null
  /** Channels by labels; they go before `alertsChannel`. */
  readonly alertsRoutes: readonly AlertRoute[]
  readonly alertsChannel: string | null
  /** Ids or names of bots. */
  readonly alertsBots: readonly string[]
  readonly recoveredAfterMs: number
  /** Whether pods are watched for first crashes. */
  readonly watch: boolean
}

/** Variables that Kubernetes sets for a Service whose name begins with `podwhy`. */
const SERVICE_LINK = /^PODWHY_(?:\w+_)?(?:SERVICE_HOST|SERVICE_PORT(?:_\w+)?|PORT(?:_\d+_\w+)?)$/

const unknownVariables = (env: Environment): string[] =>
  Object.keys(env)
    .filter(name => name.startsWith('PODWHY_') && !(name in Variables.shape) && !SERVICE_LINK.test(name))
    .map(name => `${name}: podwhy has no such variable; unset it or correct its name`)

const missing = (env: Environment, role: Role, inCluster: boolean): string[] => {
  const has = (name: string) => env[name] !== undefined
  const mistakes: string[] = []
  const reachable = has('SLACK_APP_TOKEN') || has('SLACK_SIGNING_SECRET')
  if (has('SLACK_BOT_TOKEN') && !reachable && role !== 'worker') {
    mistakes.push(
      'SLACK_APP_TOKEN: not set, though SLACK_BOT_TOKEN is; set it (Socket Mode) or SLACK_SIGNING_SECRET (HTTP)',
    )
  }
  if (!has('SLACK_BOT_TOKEN') && (reachable || role !== 'all')) {
    const why = reachable ? 'though another variable of Slack is' : `and \`serve --role ${role}\` needs it`
    mistakes.push(`SLACK_BOT_TOKEN: not set, ${why}; copy it from the Slack app's OAuth & Permissions`)
  }
  if (role !== 'all' && !has('PODWHY_QUEUE_URL')) {
    mistakes.push(
      `PODWHY_QUEUE_URL: not set, and \`serve --role ${role}\` needs it; set the Redis that bot and worker share`,
    )
  }
  if (inCluster && !has('PODWHY_CLUSTER') && !has('PODWHY_KUBECONFIGS')) {
    mistakes.push(
      'PODWHY_CLUSTER: not set, and in a cluster there is no context to name it; set the name that answers carry',
    )
  }
  return mistakes
}

/** Variables that are set to something; an empty one counts as unset. */
const setOnes = (env: Environment): Environment =>
  Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value?.trim() ? [[name, value.trim()]] : [])))

/** Of PODWHY_KUBECONFIGS alone: name and path of each. Throws ConfigError. */
export const readKubeconfigs = (env: Environment): Config['kubeconfigs'] => {
  const { PODWHY_KUBECONFIGS: given } = setOnes({ PODWHY_KUBECONFIGS: env['PODWHY_KUBECONFIGS'] })
  const parsed = Variables.shape.PODWHY_KUBECONFIGS.safeParse(given)
  if (parsed.success) return parsed.data ?? []
  throw new ConfigError(parsed.error.issues.map(({ message }) => `PODWHY_KUBECONFIGS: ${message}`))
}

/** The configuration of `serve`. Throws ConfigError with every mistake, each naming its variable and what to do. */
export const readConfig = (given: Environment = process.env, options: { readonly role?: Role } = {}): Config => {
  const env = setOnes(given)
  const inCluster = env['KUBERNETES_SERVICE_HOST'] !== undefined && env['KUBECONFIG'] === undefined
  const parsed = Variables.safeParse(env)
  const wrong = parsed.error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? []
  const mistakes = [...wrong, ...missing(env, options.role ?? 'all', inCluster), ...unknownVariables(env)]
  if (!parsed.success || mistakes.length > 0) throw new ConfigError(mistakes)
  const set = parsed.data
  const slack = set.SLACK_BOT_TOKEN && {
    botToken: set.SLACK_BOT_TOKEN,
    appToken: set.SLACK_APP_TOKEN ?? null,
    signingSecret: set.SLACK_SIGNING_SECRET ?? null,
    apiUrl: set.SLACK_API_URL ?? null,
  }
  return {
    slack: slack || null,
    kubeconfig: set.KUBECONFIG,
    inCluster,
    cluster: set.PODWHY_CLUSTER,
    contexts: set.PODWHY_CONTEXTS ?? [],
    kubeconfigs: set.PODWHY_KUBECONFIGS ?? [],
    clusterLabel: set.PODWHY_CLUSTER_LABEL ?? ['cluster'],
    clusterLabels: set.PODWHY_CLUSTER_LABELS ?? [],
    namespaces: set.PODWHY_NAMESPACES ?? ['*', '!kube-system'],
    defaultNamespace: set.PODWHY_DEFAULT_NAMESPACE ?? null,
    channelNamespaces: new Map(set.PODWHY_CHANNEL_NAMESPACES ?? []),
    queueUrl: set.PODWHY_QUEUE_URL ?? null,
    dataDir:
      set.PODWHY_DATA_DIR ?? join(env['XDG_DATA_HOME'] ?? join(env['HOME'] ?? homedir(), '.local', 'share'), 'podwhy'),
    port: set.PORT ?? 3000,
    logLevel: set.PODWHY_LOG_LEVEL ?? 'info',
    alertsToken: set.PODWHY_ALERTS_TOKEN ?? null,
    alertsRoutes: set.PODWHY_ALERTS_ROUTES ?? [],
    alertsChannel: set.PODWHY_ALERTS_CHANNEL ?? null,
    alertsBots: set.PODWHY_ALERTS_BOTS ?? [],
    recoveredAfterMs: set.PODWHY_RECOVERED_AFTER ?? 600_000,
    watch: set.PODWHY_WATCH ?? false,
  }
}
