/** What to explain, after parsing. */
export interface ReadTarget {
  readonly namespace: string
  /** Kubernetes kind in its own spelling; null: not said, then a pod is meant first. */
  readonly kind: string | null
  readonly name: string
}
