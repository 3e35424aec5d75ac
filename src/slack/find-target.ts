import { plainText } from './slack-text.ts'

/** `[CLUSTER:]NAMESPACE/[KIND/]NAME`, as far as one can tell from its form. */
const form = /^(?:[\w.@-]+:)*[a-z0-9][a-z0-9-]*(?:\/[\w.-]+){1,2}$/

/** The first word of a message that looks like a target and is one by `parses`; links are passed over. */
export function findTarget(message: string, parses: (word: string) => unknown): string | null {
  const withoutLinks = message.replace(/<https?:[^>]*>/g, ' ').replace(/\bhttps?:\S+/g, ' ')
  for (const word of plainText(withoutLinks).split(/[\s,;()[\]{}]+/)) {
    const candidate = word.replace(/[.:!?]+$/, '')
    if (!form.test(candidate)) continue
    try {
      parses(candidate)
      return candidate
    } catch {}
  }
  return null
}
