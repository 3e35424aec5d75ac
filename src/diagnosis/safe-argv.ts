import type { PodSnapshot } from './snapshot.ts'

/** Options of the usual commands; they need no look at the snapshot. */
const usual: ReadonlySet<string> = new Set(['-n', '-c', '-o', '-it', '--previous', '--tail=100', '--watch'])
/** Options whose value is the next word. */
const takesValue: ReadonlySet<string> = new Set(['-n', '-c', '-o', '-l', '-L'])

/**
 * Whether every word that looks like an option is one. No name of Kubernetes begins with `-`, but a file may hold anything:
 * a pod called `--all` would make another command of it.
 */
export const isSafeArgv = (argv: readonly string[], snapshot: PodSnapshot): boolean => {
  const end = argv.indexOf('--')
  const words = end === -1 ? argv : argv.slice(0, end)
  const isName = (word: string) => JSON.stringify(snapshot).includes(JSON.stringify(word))
  return words.every((word, index) => {
    if (!word.startsWith('-')) return true
    if (takesValue.has(words[index - 1] ?? '') || words.indexOf(word) < index) return false
    return usual.has(word) || !isName(word)
  })
}
