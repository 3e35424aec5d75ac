import { readFileSync } from 'node:fs'
import { parseAllDocuments } from 'yaml'

const file = new URL('../../deploy/access.yaml', import.meta.url)

/** podwhy's ClusterRole as it is deployed. */
export const podwhyRole = (): object => {
  const objects = parseAllDocuments(readFileSync(file, 'utf8')).map(document => document.toJS())
  const role = objects.find(({ kind }) => kind === 'ClusterRole')
  if (!role) throw new Error(`no ClusterRole in ${file.pathname}`)
  return role
}
