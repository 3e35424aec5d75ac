import { z } from 'zod'

// How the values of variables are written; each says in one line what is wrong with one, and never shows a secret.

/** A token as it may be shown: its kind, never itself. */
const shown = (token: string): string => {
  const kind = /^(?:xox[a-z]|xapp)-/.exec(token)?.[0]
  return `a value of ${token.length} characters${kind ? ` that begins with "${kind}"` : ''}`
}

/** A token of Slack, told by its prefix. */
export const token = (prefix: string, doc: string) =>
  z
    .string()
    .refine(value => value.startsWith(prefix) && value.length > prefix.length + 4, {
      error: ({ input }) => `${shown(String(input))} is not such a token; it begins with "${prefix}"`,
    })
    .optional()
    .describe(doc)

/** Something secret, with no blanks in it. `todo`: what to do about a wrong one. */
export const secret = (shortest: number, todo: string, doc: string) =>
  z
    .string()
    .refine(value => value.length >= shortest && !/\s/.test(value), {
      error: ({ input }) => `${shown(String(input))} cannot be right; ${todo}`,
    })
    .optional()
    .describe(doc)

/** Any text. */
export const text = (doc: string) => z.string().optional().describe(doc)

/** A URL with one of these protocols, `https:`. */
export const url = (protocols: readonly string[], doc: string) =>
  z
    .string()
    .refine(value => protocols.includes(URL.parse(value)?.protocol ?? '') && URL.parse(value)?.hostname !== '', {
      // The value may hold a password: only its beginning is shown.
      error: ({ input }) =>
        `a value that begins with "${String(input).split(/[:/@]/)[0]?.slice(0, 16)}" is not such a URL; write ${protocols.map(protocol => `${protocol}//HOST`).join(' or ')}`,
    })
    .optional()
    .describe(doc)

/** Names, separated by commas or blanks. */
export const list = (doc: string) =>
  z
    .string()
    .transform(value => value.split(/[\s,]+/).filter(Boolean))
    .refine(items => items.length > 0, { error: 'no name is in it; separate names by commas or unset it' })
    .optional()
    .describe(doc)

/** `NAME=VALUE,…` as pairs; a value may have blanks in it. */
export const pairs = (example: string, doc: string) =>
  z
    .string()
    .transform((value, context) =>
      value
        .split(',')
        .map(item => item.trim())
        .filter(Boolean)
        .map((item): readonly [string, string] => {
          const [, name = '', to = ''] = /^([^\s=]+)\s*=\s*(.+)$/.exec(item) ?? []
          if (name === '')
            context.addIssue({ code: 'custom', message: `"${item}" is not such a pair; write ${example}` })
          return [name, to]
        }),
    )
    .superRefine((items, context) => {
      const twice = items.map(([name]) => name).find((name, index, all) => name !== '' && all.indexOf(name) < index)
      if (twice !== undefined) context.addIssue({ code: 'custom', message: `"${twice}" is in it twice; name it once` })
    })
    .optional()
    .describe(doc)

/** Whatever `parse` makes of it; the message of what it throws is told. */
export const parsed = <T>(parse: (value: string) => T, doc: string) =>
  z
    .string()
    .transform((value, context) => {
      try {
        return parse(value)
      } catch (error) {
        context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) })
        return z.NEVER
      }
    })
    .optional()
    .describe(doc)
