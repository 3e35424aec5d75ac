const nameIn = (line: string): string => /^(?:# \w+ )?([\w:]+)/.exec(line)?.[1] ?? ''

/** Several texts in Prometheus' format as one: a metric is described once there, and its lines stand together. */
export const mergedMetrics = (texts: readonly string[]): string => {
  const byName = new Map<string, Set<string>>()
  for (const line of texts.flatMap(text => text.split('\n')).filter(Boolean)) {
    const name = nameIn(line)
    byName.set(name, (byName.get(name) ?? new Set()).add(line))
  }
  return [...byName.values()].flatMap(lines => [...lines, '']).join('\n')
}
