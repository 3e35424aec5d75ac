import type { Candidates } from './label-targets.ts'

/** The pods, sorted, that alerts of one owner are about beside the first one's. */
export const otherPods = ([first, ...others]: readonly Candidates[]): readonly string[] => {
  const pods = others.map(([target]) => target).filter(({ kind }) => kind === 'Pod')
  return [...new Set(pods.map(({ name }) => name))].filter(name => name !== first?.[0].name).toSorted()
}
