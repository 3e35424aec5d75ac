import { matchesGlob } from 'node:path'

/** What may be asked about unless `PODWHY_NAMESPACES` says otherwise. */
export const DEFAULT_NAMESPACES = ['*', '!kube-system']

/**
 * Whether a namespace may be asked about. Patterns are globs (`team-*`, `{shop,pay}`); one that begins with `!` forbids.
 * Allowed is what some pattern allows and none forbids; with forbidding patterns only, all else is.
 */
export function namespacePolicy(patterns: readonly string[] = DEFAULT_NAMESPACES): (namespace: string) => boolean {
  const forbidding = patterns.filter(pattern => pattern.startsWith('!')).map(pattern => pattern.slice(1))
  const allowing = patterns.filter(pattern => !pattern.startsWith('!'))
  return namespace =>
    (allowing.length === 0 || allowing.some(pattern => matchesGlob(namespace, pattern))) &&
    !forbidding.some(pattern => matchesGlob(namespace, pattern))
}
