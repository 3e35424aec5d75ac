import type { Api } from './api.ts'
import type { Calls } from './calls.ts'
import { metadataOf } from './metadata.ts'
import { nearNames } from './near-names.ts'
import { NoSuchPod } from './no-such-pod.ts'
import { resourceOfList } from './resources.ts'
import { isNotFound, whyUnread } from './why-unread.ts'

/**
 * Throws NoSuchPod where the server says that the namespace does not exist; with namespaces to choose from where it lists
 * them, which podwhy's own role does not allow. The message names none of them: who asks may not be allowed to see them.
 */
export const noSuchNamespace = async (
  calls: Pick<Calls, 'get' | 'list'>,
  api: Pick<Api, 'label'>,
  namespace: string,
): Promise<void> => {
  const resource = resourceOfList('namespaces')
  const isMissing = await calls.get(resource, '', namespace).then(() => false, isNotFound)
  if (!isMissing) return
  const names = await calls.list(resource, '', {}).then(
    ({ items }) => items.map(item => metadataOf(item).name ?? ''),
    (error: unknown) => {
      whyUnread(error)
      return []
    },
  )
  const near = nearNames(namespace, names).map(name => ({ namespace: name, kind: 'Namespace', name }))
  throw new NoSuchPod(`there is no namespace "${namespace}" in ${api.label}`, near)
}
