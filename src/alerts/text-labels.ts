import type { Labels } from './alert.ts'

/** Labels worth reading from a text, lower case. */
const names = [
  'alertname',
  'cluster',
  'namespace',
  'exported_namespace',
  'pod',
  'exported_pod',
  'container',
  'job',
  'job_name',
  'deployment',
  'statefulset',
  'daemonset',
  'cronjob',
  'persistentvolumeclaim',
  'service',
  'podwhy',
] as const
const pairs = (more: readonly string[]): RegExp =>
  new RegExp(
    `(?:^|[\\s•\\-{,(_])(${[...names, ...more].join('|')})_?[ \\t]*[:=][ \\t]*["'_]?([A-Za-z0-9][A-Za-z0-9:/._@-]*)`,
    'gi',
  )

/**
 * The label sets that a text spells out as `name: value`, `name = value` or `name="value"`, one for each alert in it: a
 * name that comes again begins the next one. `more`: labels to read beside the usual ones.
 */
export const labelSets = (text: string, more: readonly string[] = []): readonly Labels[] => {
  const sets: Record<string, string>[] = []
  let current: Record<string, string> | undefined
  for (const [, name = '', value = ''] of text.matchAll(pairs(more))) {
    const key = more.find(each => each.toLowerCase() === name.toLowerCase()) ?? name.toLowerCase()
    if (current === undefined || key in current) {
      current = {}
      sets.push(current)
    }
    current[key] = value.replace(/[.:,]+$/, '')
  }
  return sets
}

const kinds: Readonly<Record<string, string>> = {
  pod: 'pod',
  deployment: 'deployment',
  statefulset: 'statefulset',
  daemonset: 'daemonset',
  job: 'job_name',
  cronjob: 'cronjob',
  persistentvolumeclaim: 'persistentvolumeclaim',
  'persistentvolume claimed by': 'persistentvolumeclaim',
}
const noun = '(pod|deployment|statefulset|daemonset|job|cronjob|persistentvolumeclaim|persistentvolume claimed by)'
const name = '([a-z0-9][a-z0-9.-]*[a-z0-9])'
const sentences = [
  // "Pod shop/web-1 is not ready", "Deployment pay/api has not matched …"
  { form: new RegExp(`\\b${noun} ${name}/${name}`, 'gi'), order: ['kind', 'namespace', 'name'] as readonly string[] },
  // "pod/web-1 in namespace shop", "Pod web-1 in namespace shop"
  {
    form: new RegExp(`\\b${noun}[ /]${name} (?:in|of) (?:the )?namespace ${name}`, 'gi'),
    order: ['kind', 'name', 'namespace'] as readonly string[],
  },
]

/** Label sets from sentences as the usual rules' annotations have them. */
export const sentenceLabels = (text: string): readonly Labels[] =>
  sentences.flatMap(({ form, order }) =>
    [...text.matchAll(form)].flatMap(([, ...found]) => {
      const at = (part: string) => found[order.indexOf(part)] ?? ''
      const label = kinds[at('kind').toLowerCase()]
      return label === undefined ? [] : [{ namespace: at('namespace'), [label]: at('name') }]
    }),
  )

/** `ALERT: NAMESPACE/POD (…)` at the beginning of a line. */
export const lineLabels = (text: string): readonly Labels[] =>
  [...text.matchAll(new RegExp(`^([A-Z]\\w+): ${name}/${name}?(?= |$)`, 'gm'))].flatMap(
    ([, alertname = '', namespace = '', pod]) => (pod === undefined ? [] : [{ alertname, namespace, pod }]),
  )
