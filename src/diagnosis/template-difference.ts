import { imageReference } from './image-reference.ts'
import type { ContainerSpec, EnvVar } from './kubernetes-pod.ts'
import { code, quote } from './rule.ts'

/** One thing that two templates say differently of a container. */
export interface Difference {
  /** Below the container: `image`, `env`, `livenessProbe.timeoutSeconds`. */
  readonly field: string
  /** Short, for a sentence: `image \`…:1.4\` → \`…:1.5\``. */
  readonly said: string
  /** Whole, for the evidence. */
  readonly text: string
}

/** Only what podwhy reads and what can break a start; names and ports tell nothing. */
const FIELDS = [
  'command',
  'args',
  'workingDir',
  'envFrom',
  'resources',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle',
  'securityContext',
  'volumeMounts',
  'imagePullPolicy',
  'restartPolicy',
] as const satisfies readonly (keyof ContainerSpec)[]

/** Lists that may be long or hold what belongs to nobody else: that they changed is enough. */
const ONLY_NAMED: ReadonlySet<string> = new Set(['command', 'args', 'envFrom', 'volumeMounts', 'lifecycle'])

const isTree = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

const shown = (value: unknown): string => quote(typeof value === 'string' ? value : JSON.stringify(value), 80)

const changed = (field: string, was: unknown, is: unknown): Difference => {
  const said = `${code(field)} ${was === undefined ? 'added' : is === undefined ? 'removed' : 'changed'}`
  return { field, said, text: said }
}

/** The leaves that differ; a branch that is new or gone counts as one. */
const leaves = (field: string, was: unknown, is: unknown): Difference[] => {
  if (same(was, is)) return []
  // Each limit and request counts, also where there were none at all.
  const isAmount = field.startsWith('resources')
  const [old, now] = [was, is].map(value => (value === undefined && isAmount ? {} : value))
  if (isTree(old) && isTree(now)) {
    const keys = [...new Set([...Object.keys(old), ...Object.keys(now)])].sort()
    return keys.flatMap(key => leaves(`${field}.${key}`, old[key], now[key]))
  }
  if (ONLY_NAMED.has(field.split('.')[0] ?? '') || isTree(was) || isTree(is)) return [changed(field, was, is)]
  const [from, to] = [was, is].map(value => (value === undefined ? 'not set' : shown(value)))
  const said = `${code(field)} ${from} → ${to}`
  return [{ field, said, text: said }]
}

const image = (was: string | undefined, is: string | undefined): Difference[] => {
  if (was === is || was === undefined || is === undefined) return []
  const [old, now] = [imageReference(was), imageReference(is)]
  const isSameRepository = old.registry === now.registry && old.repository === now.repository
  const short = (whole: string, tag: string | null) => code(isSameRepository && tag !== null ? `…:${tag}` : whole)
  return [
    {
      field: 'image',
      said: `image ${short(was, old.tag)} → ${short(is, now.tag)}`,
      text: `image ${code(was)} → ${code(is)}`,
    },
  ]
}

/** Variables by name; their values stay out of every text. */
const env = (was: readonly EnvVar[], is: readonly EnvVar[]): Difference[] => {
  const byName = (list: readonly EnvVar[]) => new Map(list.map(variable => [variable.name ?? '', variable]))
  const [old, now] = [byName(was), byName(is)]
  const named = (names: readonly string[], what: string): string[] =>
    names.length === 0 ? [] : [`env ${names.map(code).join(', ')} ${what}`]
  const said = [
    ...named(
      [...now.keys()].filter(name => !old.has(name)),
      'added',
    ),
    ...named(
      [...old.keys()].filter(name => !now.has(name)),
      'removed',
    ),
    ...named(
      [...now.keys()].filter(name => old.has(name) && !same(old.get(name), now.get(name))),
      'changed',
    ),
  ].join('; ')
  return said === '' ? [] : [{ field: 'env', said, text: said }]
}

/** What changed of one container from one template to another, the image first. */
export const templateDifference = (was: ContainerSpec, is: ContainerSpec): readonly Difference[] => [
  ...image(was.image, is.image),
  ...env(was.env ?? [], is.env ?? []),
  ...FIELDS.flatMap(field => leaves(field, was[field], is[field])),
]
