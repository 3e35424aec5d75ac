import type { Command } from '../diagnosis.ts'
import { limitRange } from '../kubernetes.ts'
import { templateContainer } from '../pod-makers.ts'
import { code, fact, quote } from '../rule.ts'
import type { View } from '../view.ts'
import { podSecurity } from './pod-security.ts'
import { home, type RefusalClass } from './refusal-class.ts'

/** Pod Security and its predecessors. */
export const bySecurity = (words: string, view: View): RefusalClass | null => {
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

/** The texts that follow these words in their order; null where one is missing. */
const between = (text: string, words: readonly string[]): readonly string[] | null => {
  const found: string[] = []
  let rest = text
  for (const [index, word] of words.entries()) {
    const at = rest.indexOf(word)
    if (at < 0) return null
    if (index > 0) found.push(rest.slice(0, at))
    rest = rest.slice(at + word.length)
  }
  return [...found, rest]
}

/** ResourceQuota and LimitRange. */
export const byQuota = (words: string, view: View): RefusalClass | null => {
  const getQuota: Command = {
    purpose: 'Quotas of the namespace: used and hard',
    argv: ['kubectl', '-n', view.namespace, 'describe', 'resourcequota'],
    changes: false,
  }
  const exceeded = between(words, ['exceeded quota: ', ', requested: ', ', used: ', ', limited: '])
  if (exceeded) {
    const [name = '', requested = '', used = '', limited = ''] = exceeded
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
  const ranges = (/usage per |request ratio/.test(words) ? (view.list('limitRanges', limitRange) ?? []) : [])
    .flatMap(({ metadata }) => (metadata?.name ? [code(metadata.name)] : []))
    .join(', ')
  if (
    /(?:maximum|minimum) \S+ usage per (?:Container|Pod|PersistentVolumeClaim)|max limit to request ratio/.test(words)
  )
    return {
      id: 'admission.quota',
      what: `${ranges ? `LimitRange ${ranges}` : 'a LimitRange'} of namespace ${code(view.namespace)} does not allow its resources: ${quote(words.replace(/^.*is forbidden: /, ''), 300)}`,
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
