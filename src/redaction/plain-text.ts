/** CSI and OSC sequences, and single control characters but tab and line break. */
const CONTROL =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it removes
  /\u001b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\u0007\u001b\n]*(?:\u0007|\u001b\\)|[@-Z\\-_])|[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g
/** A colour in a text that JSON, Go or Python has quoted. */
const QUOTED_COLOUR = /\\{1,8}(?:u001b|x1b)\[[0-9;]{0,32}m/gi

/**
 * The text without terminal sequences, which would stand between a key and its value; line breaks and tabs stay, and so
 * does every text without an escape.
 */
export const plainText = (text: string): string => {
  const plain = text.replace(QUOTED_COLOUR, '')
  return plain.includes('\u001b') ? plain.replace(CONTROL, '') : plain
}
