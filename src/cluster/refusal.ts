import { type Api, ClusterUnreachable, DeadlineExceeded, StatusError } from './api.ts'
import { ClusterError, oneLine } from './cluster-error.ts'

/** The cluster does not accept the credentials at all (401). */
export class Unauthorized extends ClusterError {
  override name = 'Unauthorized'
}

/** The credentials are good, but may not do this (403). */
export class Forbidden extends ClusterError {
  override name = 'Forbidden'
  readonly verb: string
  readonly resource: string
  readonly namespace: string
  constructor(message: string, what: { verb: string; resource: string; namespace: string }) {
    super(message)
    this.verb = what.verb
    this.resource = what.resource
    this.namespace = what.namespace
  }
}

/** What the call that failed wanted. */
export interface Wanted {
  readonly verb: 'get' | 'list'
  readonly resource: string
  readonly namespace: string
}

const forbidden = (said: string, label: string, wanted: Wanted): Forbidden => {
  const user = /User "([^"]+)"/.exec(said)?.[1]
  const denied = /cannot (\w+) resource "([^"]+)"/.exec(said)
  const what = { ...wanted, ...(denied?.[1] && denied[2] ? { verb: denied[1], resource: denied[2] } : {}) }
  const check = `kubectl auth can-i ${what.verb} ${what.resource} -n ${what.namespace}${user ? ` --as ${user}` : ''}`
  const who = user ? `podwhy (${user})` : 'podwhy'
  return new Forbidden(
    `${who} may not ${what.verb} ${what.resource} in namespace "${what.namespace}" of ${label}; check: ${check}`,
    what,
  )
}

/** What a failed call means where nothing can be said without it: a ClusterError with its one line, or the error itself. */
export const refusalOf = (error: unknown, { label }: Pick<Api, 'label'>, wanted: Wanted): unknown => {
  if (error instanceof DeadlineExceeded)
    return new ClusterUnreachable(label, 'did not answer in time', { why: 'timeout', cause: error })
  if (!(error instanceof StatusError)) return error
  if (error.status === 401)
    return new Unauthorized(
      `${label} does not accept podwhy's credentials (401): they have expired or were revoked; renew them`,
    )
  if (error.status === 403) return forbidden(error.message, label, wanted)
  if (error.status >= 500 || error.status === 429)
    return new ClusterUnreachable(label, `answered ${error.status}: ${oneLine(error.message, 200)}`)
  return new ClusterError(`${label} answered ${error.status}: ${oneLine(error.message, 200)}`)
}
