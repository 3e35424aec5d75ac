import { podwhy } from '../cli/podwhy.ts'

/** The part of `-o json` that is compared with a thread. */
export interface JsonAnswer {
  readonly status: string
  readonly ready: string
  readonly container: { readonly name: string; readonly kind: string } | null
  readonly exit: { readonly code: number } | null
  readonly cause: { readonly id: string }
  readonly unread: readonly unknown[]
}

/** `podwhy explain TARGET -o json` with a kubeconfig, as a process of its own. */
export const explainJson = async (target: string, kubeconfig: string): Promise<JsonAnswer> => {
  const { status, out, err } = await podwhy(['explain', target, '-o', 'json'], { env: { KUBECONFIG: kubeconfig } })
  if (status !== 0 && status !== 1) throw new Error(`explain ${target} ended with ${status}: ${err}`)
  return JSON.parse(out)
}
