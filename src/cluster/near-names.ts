/** Levenshtein distance. */
const distance = (a: string, b: string): number => {
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const next = [row]
    for (let column = 1; column <= b.length; column++) {
      const substitution = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1)
      next[column] = Math.min(substitution, (previous[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1)
    }
    previous = next
  }
  return previous[b.length] ?? 0
}

/** `web` of `web-7df5687c7-mgfcr`, `web-mgfcr` and `web-0`: a pod's name without what controllers append. */
const baseOf = (pod: string): string => pod.replace(/-[a-z0-9]{6,10}-[a-z0-9]{5}$|-[a-z0-9]{5}$|-\d+$/, '')

/** At most three of the pods' names that `name` may have meant, the likeliest first, one per workload. */
export const nearNames = (name: string, pods: readonly string[]): readonly string[] => {
  const wanted = baseOf(name)
  const limit = Math.max(2, Math.floor(wanted.length / 4))
  const scored = pods
    .map(pod => {
      const base = baseOf(pod)
      const starts = pod.startsWith(name) || base.startsWith(wanted) || wanted.startsWith(base)
      const steps = Math.min(distance(name, pod), distance(name, base), distance(wanted, base))
      return { pod, base, steps: starts ? Math.min(steps, limit) : steps }
    })
    .filter(({ steps }) => steps <= limit)
    .sort((a, b) => a.steps - b.steps || a.pod.localeCompare(b.pod))
  const onePerBase = scored.filter(({ base }, index) => scored.findIndex(other => other.base === base) === index)
  return onePerBase.slice(0, 3).map(({ pod }) => pod)
}
