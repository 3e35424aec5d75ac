import type { Command } from '../diagnosis.ts'

/** What a mount failure is about, in the names of this pod. */
export interface MountFacts {
  readonly message: string
  readonly volume: string
  readonly source: { readonly kind: string; readonly name: string } | null
  readonly node: string
  readonly namespace: string
  /** Where the spec is changed. */
  readonly home: string
  readonly hostPath: string | null
  /** A Job whose name begins with the missing object's: it may be what makes it. */
  readonly job: string | null
}

export interface MountAdvice {
  /** Sentence part after `No container has started: `. */
  readonly what: string
  readonly fix: readonly string[]
  readonly avoid?: readonly string[]
  readonly commands: readonly Command[]
}

/** A read in the pod's namespace. */
export const get = ({ namespace }: MountFacts, purpose: string, ...args: readonly string[]): Command => ({
  purpose,
  argv: ['kubectl', '-n', namespace, 'get', ...args],
  changes: false,
})

/** A read of what lives in no namespace. */
export const clusterWide = (purpose: string, ...args: readonly string[]): Command => ({
  purpose,
  argv: ['kubectl', 'get', ...args],
  changes: false,
})
