import { plainText } from './plain-text.ts'
import { redactStrings } from './redact-strings.ts'

/** A text without its credentials, and how many were replaced. */
export interface RedactedText {
  readonly text: string
  readonly count: number
}

/** Replaces every credential in a text by `[redacted]` and drops terminal sequences; the rest, line breaks included, stays. */
export const redactText = async (text: string): Promise<RedactedText> => {
  const { texts, count } = await redactStrings([plainText(text)])
  return { text: texts[0] ?? '', count }
}
