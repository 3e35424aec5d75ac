import { redactStrings } from './redact-strings.ts'

/** A text without its credentials, and how many were replaced. */
export interface RedactedText {
  readonly text: string
  readonly count: number
}

/** Replaces every credential in a text by `[redacted]`; everything else, line breaks included, stays as it is. */
export const redactText = async (text: string): Promise<RedactedText> => {
  const { texts, count } = await redactStrings([text])
  return { text: texts[0] ?? '', count }
}
