/**
 * A problem with a cluster that the person who asked can be told: `message` is one line, made for them. Its kinds stand
 * beside the code that throws them: KubeconfigError, Unauthorized, Forbidden, ClusterUnreachable, NoSuchPod, AmbiguousTarget.
 */
export class ClusterError extends Error {
  override name = 'ClusterError'
  /** Whether the same question may be answered a little later without anybody doing anything. */
  readonly temporary: boolean = false
}

/** `text` as one line of at most `max` characters, for messages that quote a server. */
export const oneLine = (text: string, max = 400): string => {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > max ? `${line.slice(0, max)}…` : line
}
