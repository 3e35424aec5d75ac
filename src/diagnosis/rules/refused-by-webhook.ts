import type { Command } from '../diagnosis.ts'
import { code, quote } from '../rule.ts'
import type { View } from '../view.ts'
import { home, type RefusalClass } from './refusal-class.ts'

const WEBHOOKS: Command = {
  purpose: 'The admission webhooks',
  argv: ['kubectl', 'get', 'mutatingwebhookconfigurations,validatingwebhookconfigurations'],
  changes: false,
}

/** Why a webhook could not be asked, in words. */
const whyDown = (words: string): string => {
  if (/service "[^"]+" not found/.test(words)) return 'its Service does not exist'
  if (/no endpoints available/.test(words)) return 'its Service has no ready endpoints'
  if (/connection refused/.test(words)) return 'nothing answers there: the webhook service has no running backend'
  if (/x509|certificate/.test(words)) return 'its certificate is not trusted or has run out'
  if (/deadline exceeded|timeout|timed out/.test(words)) return 'it does not answer in time'
  return 'it cannot be called'
}

/** Admission webhooks and policies, down or denying. */
export const byWebhook = (words: string, view: View): RefusalClass | null => {
  const down = /failed calling (?:admission )?webhook "([^"]+)"/.exec(words)
  if (down) {
    const [, service, namespace] = /https?:\/\/([a-z0-9-]+)\.([a-z0-9-]+)\.svc/.exec(words) ?? []
    const isOwn = namespace === view.namespace
    return {
      id: 'admission.webhook-or-serviceaccount',
      what: `admission webhook ${code(down[1] ?? '')} must be asked about every pod, and ${whyDown(words)}${service ? ` (Service ${code(service)} in ${code(namespace ?? '')})` : ''}`,
      fix: [
        service
          ? `Bring Service ${code(service)} in ${code(namespace ?? '')} back: its pods, its endpoints, its certificate.${isOwn ? ' If these are its own pods, the webhook applies to its own pod and blocks itself: exclude them with a namespaceSelector or objectSelector, or delete the webhook configuration until it runs.' : ''}`
          : 'Bring what the webhook calls back.',
        `Where it may be skipped, set ${code('failurePolicy: Ignore')} or narrow its ${code('namespaceSelector')}.`,
      ],
      avoid: [
        'Deleting the webhook configuration for good: what it guards or injects would be missing without a word.',
      ],
      commands: [
        WEBHOOKS,
        ...(service && namespace
          ? [
              {
                purpose: 'Who stands behind the webhook',
                argv: ['kubectl', '-n', namespace, 'get', 'service,endpointslices,pods'],
                changes: false,
              },
            ]
          : []),
      ],
    }
  }
  const denied = /admission webhook "([^"]+)" denied the request(?:: | )?(.*)$/s.exec(words)
  if (denied)
    return {
      id: 'admission.webhook-or-serviceaccount',
      what: `admission webhook ${code(denied[1] ?? '')} denies the pod${denied[2] ? `: ${quote(denied[2], 300)}` : ' without saying why'}`,
      fix: [`Change what it objects to in ${home(view)}, or ask its owner for an exception.`],
      avoid: ['Switching the webhook off: it is a rule of this cluster.'],
      commands: [WEBHOOKS],
    }
  const policy = /policy '([^']+)' with binding '([^']+)' denied request: (.*)$/is.exec(words)
  if (policy) {
    const [, name = '', binding = '', why = ''] = policy
    const isOwnFault =
      /error applying patch|invalid ApplyConfiguration|failed to (?:evaluate|compile)|expression .{1,200} resulted in error/.test(
        why,
      )
    return {
      id: 'admission.webhook-or-serviceaccount',
      what: `admission policy ${code(name)} (binding ${code(binding)}) ${isOwnFault ? 'cannot be applied' : 'denies the pod'}: ${quote(why, 300)}`,
      fix: [
        isOwnFault
          ? `Correct policy ${code(name)} (an ApplyConfiguration cannot set parts of atomic lists; a JSONPatch can), or remove binding ${code(binding)}. The template of ${home(view)} is not at fault.`
          : `Change what it objects to in ${home(view)}, or have policy ${code(name)} or its binding ${code(binding)} changed.`,
      ],
      commands: [
        {
          purpose: 'The admission policies and their bindings',
          argv: ['kubectl', 'get', 'validatingadmissionpolicies,validatingadmissionpolicybindings'],
          changes: false,
        },
      ],
    }
  }
  return null
}
