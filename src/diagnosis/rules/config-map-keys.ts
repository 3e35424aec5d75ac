import type { Evidence } from '../diagnosis.ts'
import { configMap } from '../kubernetes.ts'
import { code, fact } from '../rule.ts'
import type { View } from '../view.ts'

/** The keys a ConfigMap does have, in words and as evidence; nothing where it was not read. Secrets are never read. */
export const keysThereAre = (
  view: View,
  kind: string,
  name: string,
): { readonly text: string; readonly evidence: readonly Evidence[] } => {
  const found = kind === 'ConfigMap' ? view.object('ConfigMap', view.namespace, name, configMap) : null
  if (found === null || found === 'absent') return { text: '', evidence: [] }
  const keys = [...Object.keys(found.data ?? {}), ...Object.keys(found.binaryData ?? {})].sort()
  const shown = keys.slice(0, 6).map(key => code(key))
  const said =
    keys.length === 0 ? 'no key at all' : `${shown.join(', ')}${keys.length > 6 ? ` and ${keys.length - 6} more` : ''}`
  return { text: ` It has ${said}.`, evidence: [fact(`keys of ConfigMap ${view.namespace}/${name}`, said)] }
}
