import type { Json, JsonObject } from '../diagnosis/snapshot.ts'

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const emptied = (map: Json | undefined) =>
  isObject(map) ? Object.fromEntries(Object.keys(map).map(key => [key, ''])) : undefined

const without = (object: JsonObject, key: string): JsonObject => {
  const { [key]: _, ...rest } = object
  return rest
}

/**
 * An object as a snapshot keeps it: as the API server sent it, minus managedFields. Of a ConfigMap only the keys stay:
 * its values are the user's, and `last-applied-configuration` repeats them.
 */
export const cleanObject = (object: JsonObject, kind: string): JsonObject => {
  const metadata = isObject(object['metadata']) ? without(object['metadata'], 'managedFields') : undefined
  const clean: Record<string, Json | undefined> = metadata ? { ...object, metadata } : { ...object }
  if (kind !== 'ConfigMap') return clean
  for (const key of ['data', 'binaryData']) if (key in clean) clean[key] = emptied(clean[key]) ?? {}
  if (metadata && isObject(metadata['annotations'])) {
    const annotations = without(metadata['annotations'], 'kubectl.kubernetes.io/last-applied-configuration')
    clean['metadata'] = { ...metadata, annotations }
  }
  return clean
}
