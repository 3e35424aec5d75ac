import { DeadlineExceeded, StatusError } from './api.ts'
import { ClusterError } from './cluster-error.ts'

/**
 * Why something could not be read: `forbidden`, `timeout`, or the server's words. Throws what is not about the cluster,
 * such as the caller's own abort.
 */
export const whyUnread = (error: unknown): string => {
  if (error instanceof DeadlineExceeded) return 'timeout'
  if (error instanceof StatusError) return error.status === 403 ? 'forbidden' : error.message
  if (error instanceof ClusterError) return error.message
  throw error
}

/** Whether the server said that the object does not exist. */
export const isNotFound = (error: unknown): boolean => error instanceof StatusError && error.status === 404
