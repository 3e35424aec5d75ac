import { hasRedisServer } from '../fakes/redis-server.ts'
import { kubectl } from './kubectl.ts'

/** Says at once what is missing, before any test waits for it. */
export default async () => {
  if (!hasRedisServer) throw new Error('these tests need redis-server on the PATH')
  await kubectl(['get', '--raw', '/readyz']).catch((error: Error) => {
    throw new Error(`these tests need kubectl and the cluster of KUBECONFIG: ${error.message}`)
  })
}
