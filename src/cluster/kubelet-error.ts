// reference: kubelet_pods.go and cri-client logs.go of 1.36. The kubelet has already sent its 200 when these occur.
const beginnings = [
  'unable to retrieve container logs for ',
  'failed to try resolving symlinks in path ',
  'failed to open log file ',
  'failed to get parse function: unsupported log format',
  'failed to tail n lines of log file ',
]

/**
 * The kubelet's error where it is the whole body of a 200 answer to a log request; null where the body is a log. With
 * `timestamps=true` lines of a container begin with a time, so they cannot be mistaken for it.
 */
export const kubeletErrorOf = (body: string): string | null => {
  const line = body.trim()
  return !line.includes('\n') && beginnings.some(beginning => line.startsWith(beginning)) ? line : null
}
