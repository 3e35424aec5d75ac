/** What an `Unhealthy` message says (prober.go, probe/*.go): why the check failed, as far as the kubelet knows. */
export type ProbeFailure =
  | { readonly kind: 'timeout' }
  | { readonly kind: 'refused' }
  | { readonly kind: 'status'; readonly status: number }
  | { readonly kind: 'other' }

const TIMEOUT =
  /context deadline exceeded|Client\.Timeout exceeded|i\/o timeout|timed out after|command timed out|health rpc did not complete within|failed to connect service .* within/

export const probeFailure = (message: string): ProbeFailure => {
  const status = /HTTP probe failed with statuscode: (\d{3})/.exec(message)?.[1]
  if (status !== undefined) return { kind: 'status', status: Number(status) }
  if (/connection refused/.test(message)) return { kind: 'refused' }
  return TIMEOUT.test(message) ? { kind: 'timeout' } : { kind: 'other' }
}
