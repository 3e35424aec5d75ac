import type { Container } from '../containers.ts'

/** Where a container refers to a ConfigMap or Secret: `env \`DB_HOST\``, `envFrom`. */
export interface Reference {
  readonly path: string
  readonly how: string
}

/** Every place of a container's environment that names an object (and, where given, one key of it). */
export const referencesTo = (
  container: Container,
  kind: 'ConfigMap' | 'Secret',
  name: string,
  key?: string,
): readonly Reference[] => {
  const { spec, specPath } = container
  const ofEnv = (spec.env ?? []).flatMap((variable, index) => {
    const ref = kind === 'Secret' ? variable.valueFrom?.secretKeyRef : variable.valueFrom?.configMapKeyRef
    if (ref?.name !== name || (key !== undefined && ref.key !== key)) return []
    return [{ path: `${specPath}.env[${index}].valueFrom`, how: `env \`${variable.name ?? ''}\`` }]
  })
  const ofEnvFrom = (spec.envFrom ?? []).flatMap((source, index) => {
    const ref = kind === 'Secret' ? source.secretRef : source.configMapRef
    return ref?.name === name && key === undefined ? [{ path: `${specPath}.envFrom[${index}]`, how: '`envFrom`' }] : []
  })
  return [...ofEnv, ...ofEnvFrom]
}
