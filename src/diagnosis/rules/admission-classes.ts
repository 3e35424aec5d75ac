import { templateOf } from '../pod-makers.ts'
import { code, quote } from '../rule.ts'
import type { View } from '../view.ts'
import { home, type RefusalClass } from './refusal-class.ts'
import { byQuota, bySecurity } from './refused-by-policy.ts'
import { byWebhook } from './refused-by-webhook.ts'

/** The template's container that a field such as `spec.initContainers[0].livenessProbe` belongs to. */
const containerOf = (field: string, view: View): string | null => {
  const [, list, index] = /^spec\.(initContainers|containers)\[(\d+)\]/.exec(field) ?? []
  const spec = templateOf(view)
  const containers = list === 'initContainers' ? spec?.initContainers : spec?.containers
  return list === undefined ? null : (containers?.[Number(index)]?.name ?? null)
}

/** What the API server's refusal of a pod means; the words of the API server are quoted where nothing more is known. */
export const refusalClass = (words: string, view: View): RefusalClass => {
  const found = bySecurity(words, view) ?? byQuota(words, view) ?? byWebhook(words, view)
  if (found) return found
  const account = /serviceaccounts? "([^"]+)" not found/i.exec(words)?.[1]
  if (account)
    return {
      id: 'admission.webhook-or-serviceaccount',
      what: `ServiceAccount ${code(account)} does not exist in namespace ${code(view.namespace)}`,
      fix: [
        `Create ServiceAccount ${code(account)} in ${code(view.namespace)}, or correct ${code('serviceAccountName')} in ${home(view)}.`,
      ],
      commands: [
        {
          purpose: 'The ServiceAccounts there are',
          argv: ['kubectl', '-n', view.namespace, 'get', 'serviceaccounts'],
          changes: false,
        },
      ],
    }
  const missing = /no PriorityClass with name (\S+) was found|RuntimeClass "([^"]+)" not found/i.exec(words)
  if (missing) {
    const what = missing[1] ? `PriorityClass ${code(missing[1])}` : `RuntimeClass ${code(missing[2] ?? '')}`
    return {
      id: 'admission.invalid-spec',
      what: `the template names ${what}, which does not exist`,
      fix: [`Create ${what}, or correct the name in ${home(view)}.`],
    }
  }
  const invalid = /is invalid: (.+)$/s.exec(words)?.[1]
  if (invalid) {
    const field = /^\[?(spec\.[^:\s]+)/.exec(invalid)?.[1]
    return {
      id: 'admission.invalid-spec',
      container: containerOf(field ?? '', view),
      what: `the API server refuses its pod template as invalid – ${quote(invalid, 300)}`,
      fix: [
        `Correct ${field ? code(field) : 'the field it names'} in ${home(view)} (in the template: ${code('spec.template')}).`,
      ],
    }
  }
  if (/no labels/.test(words))
    return {
      id: 'admission.invalid-spec',
      what: 'its template has no labels',
      fix: [`Give the template labels that match the selector of ${home(view)}.`],
    }
  if (/being terminated/.test(words))
    return {
      id: 'admission.other',
      what: `namespace ${code(view.namespace)} is being deleted, and nothing new can be made in it`,
      fix: ['Let the deletion finish (look for finalizers that hold it), then make the workload in a new namespace.'],
    }
  return {
    id: 'admission.other',
    what: `the API server says ${quote(words, 300)}`,
    fix: [`Change what it names; ${home(view)} tries again by itself.`],
    isLikely: true,
  }
}
