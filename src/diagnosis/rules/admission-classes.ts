import type { Command, Evidence } from '../diagnosis.ts'
import { targetOf, templateContainer } from '../pod-makers.ts'
import { code, fact, quote } from '../rule.ts'
import type { View } from '../view.ts'
import { podSecurity } from './pod-security.ts'

/** What a refusal of the API server means. */
export interface RefusalClass {
  readonly id: string
  readonly container?: string | null
  /** Sentence part after `…: `. */
  readonly what: string
  readonly fix: readonly string[]
  readonly avoid?: readonly string[]
  readonly evidence?: readonly Evidence[]
  readonly commands?: readonly Command[]
  readonly isLikely?: boolean
}

const home = (view: View): string => {
  const target = targetOf(view)
  return target ? `${target.kind} ${code(target.name)}` : 'the template'
}

const security = (words: string, view: View): RefusalClass | null => {
  const found = podSecurity(words)
  if (found) {
    const names = [...new Set(found.violations.flatMap(({ containers }) => containers))]
    const [only] = names
    const isOne = names.length === 1 && only !== undefined
    const kind = isOne ? templateContainer(view, only)?.kind : undefined
    const noun = kind === 'init' ? 'init container' : kind === 'sidecar' ? 'sidecar' : 'container'
    const who = isOne
      ? `${noun} ${code(only)} breaks it`
      : names.length === 0
        ? 'the pod breaks it'
        : `containers ${names.map(code).join(', ')} break it`
    return {
      id: 'admission.pod-security',
      container: isOne ? only : null,
      what: `namespace ${code(view.namespace)} enforces PodSecurity ${code(found.level)}, and ${who} – ${found.violations.map(({ what }) => what).join('; ')}`,
      fix: [
        `In ${home(view)}: ${found.violations.map(({ containers, must, what }) => `${containers.length > 0 ? `${containers.map(code).join(', ')} ` : ''}must ${must || `not have ${what}`}`).join('; ')}.`,
        ...(found.violations.some(({ what }) => /runAsUser=0|runAsNonRoot/.test(what)) && noun === 'init container'
          ? [
              `Where ${code(only ?? '')} only changes the owner of a volume, drop it and set ${code('securityContext.fsGroup')} on the pod: the kubelet then does it without root.`,
            ]
          : []),
      ],
      avoid: [
        `Lowering the level of the whole namespace (label ${code('pod-security.kubernetes.io/enforce')}) for one pod.`,
      ],
      evidence: found.violations.map(({ what, containers, must }) =>
        fact(
          'PodSecurity',
          `${what}${containers.length > 0 ? ` (${containers.map(code).join(', ')})` : ''}: must ${must}`,
        ),
      ),
      commands: [
        {
          purpose: 'The level of the namespace',
          argv: ['kubectl', 'get', 'namespace', view.namespace, '--show-labels'],
          changes: false,
        },
      ],
    }
  }
  if (!/pod security policy|security context constraint/i.test(words)) return null
  return {
    id: 'admission.pod-security',
    what: `no security policy allows the pod: ${quote(words, 300)}`,
    fix: [
      `Change what it names in ${home(view)}, or let the pod's service account use a policy (PSP, SCC) that allows it.`,
    ],
  }
}

const quota = (words: string, view: View): RefusalClass | null => {
  const getQuota: Command = {
    purpose: 'Quotas of the namespace: used and hard',
    argv: ['kubectl', '-n', view.namespace, 'describe', 'resourcequota'],
    changes: false,
  }
  const exceeded = /exceeded quota: ([^,]+), requested: (.+), used: (.+), limited: (.+)$/.exec(words)
  if (exceeded) {
    const [, name = '', requested = '', used = '', limited = ''] = exceeded
    return {
      id: 'admission.quota',
      what: `ResourceQuota ${code(name)} of namespace ${code(view.namespace)} is used up – asked for ${code(requested)}, in use ${code(used)}, limit ${code(limited.trim())}`,
      fix: [
        `Lower the requests in ${home(view)}, free some in the namespace (pods that are no longer needed count, too), or raise ResourceQuota ${code(name)}.`,
      ],
      commands: [getQuota],
    }
  }
  const must = /failed quota: ([^:]+): must specify (.+)$/.exec(words)
  if (must)
    return {
      id: 'admission.quota',
      what: `ResourceQuota ${code(must[1] ?? '')} demands that each container states ${code((must[2] ?? '').trim())}`,
      fix: [`Set those ${code('resources')} in ${home(view)}, or give the namespace a LimitRange with defaults.`],
      commands: [getQuota],
    }
  if (/insufficient quota to match these scopes/.test(words))
    return {
      id: 'admission.quota',
      what: `pods of this priority class are only allowed with a ResourceQuota for it: ${quote(words, 200)}`,
      fix: [`Make a ResourceQuota with that scope in ${code(view.namespace)}, or use another PriorityClass.`],
      commands: [getQuota],
    }
  if (
    /(?:maximum|minimum) \S+ usage per (?:Container|Pod|PersistentVolumeClaim)|max limit to request ratio/.test(words)
  )
    return {
      id: 'admission.quota',
      what: `a LimitRange of namespace ${code(view.namespace)} does not allow its resources: ${quote(words.replace(/^.*is forbidden: /, ''), 300)}`,
      fix: [`Change ${code('resources')} in ${home(view)} to what the LimitRange allows, or change the LimitRange.`],
      commands: [
        {
          purpose: 'The LimitRanges of the namespace',
          argv: ['kubectl', '-n', view.namespace, 'describe', 'limitrange'],
          changes: false,
        },
      ],
    }
  return null
}

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

const webhook = (words: string, view: View): RefusalClass | null => {
  const down = /failed calling webhook "([^"]+)"/.exec(words)
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

/** What the API server's refusal of a pod means; the words of the API server are quoted where nothing more is known. */
export const refusalClass = (words: string, view: View): RefusalClass => {
  const found = security(words, view) ?? quota(words, view) ?? webhook(words, view)
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
