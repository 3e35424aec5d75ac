import { pastedTargets } from './pasted-targets.ts'
import { plainText } from './slack-text.ts'

/** `[CLUSTER:]NAMESPACE/[KIND/]NAME`, as far as one can tell from its form. */
const form = /^(?:[\w.@-]+:)*[a-z0-9][a-z0-9-]*(?:\/[\w.-]+){1,2}$/

/**
 * What a message is about, as one would type it: what was pasted from kubectl or k9s, else the first word that looks like a
 * target; either has to be one by `parses`. Links are passed over.
 */
export function findTarget(message: string, parses: (text: string) => unknown): string | null {
  const withoutLinks = message.replace(/<https?:[^>]*>/g, ' ').replace(/\bhttps?:\S+/g, ' ')
  const words = plainText(withoutLinks)
    .split(/[\s,;()[\]{}]+/)
    .map(word => word.replace(/[.:!?]+$/, ''))
  for (const candidate of [
    ...pastedTargets(withoutLinks),
    ...words.filter(word => form.test(word) && !/^[\d/]+$/.test(word)),
  ]) {
    try {
      parses(candidate)
      return candidate
    } catch {}
  }
  return null
}
