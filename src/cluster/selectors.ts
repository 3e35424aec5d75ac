import { event as eventShape } from '../diagnosis/kubernetes.ts'
import type { JsonObject } from '../diagnosis/snapshot.ts'
import type { Query } from './calls.ts'
import { metadataOf } from './metadata.ts'

const labelTest = (requirement: string): ((labels: Readonly<Record<string, string>>) => boolean) => {
  const [, key = '', operator, among = ''] = /^(\S+) (in|notin) \((.*)\)$/.exec(requirement) ?? []
  const values = among.split(',').map(value => value.trim())
  if (operator === 'in') return labels => labels[key] !== undefined && values.includes(labels[key])
  // As the server has it: what lacks the label is not in the set either.
  if (operator === 'notin') return labels => labels[key] === undefined || !values.includes(labels[key])
  if (requirement.startsWith('!')) return labels => labels[requirement.slice(1)] === undefined
  const at = requirement.indexOf('=')
  if (at === -1) return labels => labels[requirement] !== undefined
  return labels => labels[requirement.slice(0, at)] === requirement.slice(at + 1)
}

const fieldsOf = (object: JsonObject): Readonly<Record<string, string | undefined>> => {
  const { kind, name } = eventShape(object)?.involvedObject ?? {}
  return { 'involvedObject.kind': kind, 'involvedObject.name': name }
}

/** Whether the server would list an object for a query of podwhy's own: `labelSelector`, and `fieldSelector` on events. */
export const matcherOf = ({ labelSelector, fieldSelector }: Query): ((object: JsonObject) => boolean) => {
  const labels = (labelSelector ?? '')
    .split(/,(?![^(]*\))/)
    .filter(Boolean)
    .map(labelTest)
  const fields = (fieldSelector ?? '')
    .split(',')
    .filter(Boolean)
    .map(requirement => requirement.split('=') as [string, string])
  return object => {
    const own = metadataOf(object).labels ?? {}
    if (!labels.every(test => test(own))) return false
    if (fields.length === 0) return true
    const its = fieldsOf(object)
    return fields.every(([field, value]) => (its[field] ?? '') === value)
  }
}
