import type { JsonObject } from '../diagnosis/snapshot.ts'
import type { Api } from './api.ts'
import { type Right, resources, usedRights, watchRight } from './resources.ts'
import { whyUnread } from './why-unread.ts'

/** What the credentials may do, by the server's own SelfSubjectAccessReview (which stores nothing). */
export interface Rights {
  readonly cluster: string
  /** The namespace it was asked for; null: all of them. */
  readonly namespace: string | null
  /** Rights podwhy uses and has. */
  readonly allowed: readonly Right[]
  /** Rights podwhy uses and lacks: answers will name what they could not read. */
  readonly denied: readonly Right[]
  /** One line for each right that podwhy has and should not: Secrets, exec, writes. */
  readonly warnings: readonly string[]
  /** Why some could not be found out; null where all were. */
  readonly unknown: string | null
}

const writes = (group: string, resource: string): readonly Right[] =>
  ['create', 'update', 'patch', 'delete'].map(verb => ({ verb, group, resource }))

/** What podwhy never does, and so should not be able to. */
const neverUsedRights: readonly Right[] = [
  { verb: 'get', group: '', resource: 'secrets' },
  { verb: 'list', group: '', resource: 'secrets' },
  { verb: 'create', group: '', resource: 'pods/exec' },
  ...writes('', 'pods'),
  ...writes('apps', 'deployments'),
]

const everything: Right = { verb: '*', group: '*', resource: '*' }

/** `list secrets`, `create deployments.apps`: as `kubectl auth can-i` takes it. */
export const rightText = ({ verb, group, resource }: Right): string =>
  `${verb} ${resource}${group === '' || group === '*' ? '' : `.${group}`}`

const isClusterWide = ({ group, resource }: Right) =>
  resources.some(known => known.group === group && known.plural === resource && !known.namespaced)

const review = (right: Right, namespace: string | null): JsonObject => {
  const { verb, group } = right
  const [resource = '', subresource] = right.resource.split('/')
  const where = namespace !== null && !isClusterWide(right) ? { namespace } : {}
  const resourceAttributes = { verb, group, resource, ...(subresource ? { subresource } : {}), ...where }
  return { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview', spec: { resourceAttributes } }
}

/**
 * Asks the server for every right that podwhy uses, and for those it should not have.
 * @param namespace where; null: in all namespaces
 * @param watches whether the right to watch pods is used as well
 */
export const readRights = async (
  api: Api,
  cluster: string,
  namespace: string | null,
  deadline: () => AbortSignal,
  watches = false,
): Promise<Rights> => {
  let unknown: string | null = null
  const isAllowed = async (right: Right): Promise<boolean | null> => {
    try {
      const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews'
      const { body } = await api.post(path, review(right, namespace), deadline())
      const { status } = body
      return typeof status === 'object' && status !== null && 'allowed' in status && status['allowed'] === true
    } catch (error) {
      unknown ??= whyUnread(error)
      return null
    }
  }
  const ask = (rights: readonly Right[]) =>
    Promise.all(rights.map(async right => ({ right, allowed: await isAllowed(right) })))

  const [used, unused, [all]] = await Promise.all([
    ask(watches ? [...usedRights, watchRight] : usedRights),
    ask(neverUsedRights),
    ask([everything]),
  ])
  const pick = (answers: typeof used, allowed: boolean) =>
    answers.filter(answer => answer.allowed === allowed).map(answer => answer.right)
  const where = namespace === null ? '' : ` in namespace "${namespace}"`
  const warnings = all?.allowed
    ? [`podwhy may do everything${where} (cluster-admin); give it a role that can only read`]
    : pick(unused, true).map(right => `podwhy may ${rightText(right)}${where}; it never does, take that right away`)
  return { cluster, namespace, allowed: pick(used, true), denied: pick(used, false), warnings, unknown }
}
