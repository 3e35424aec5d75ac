import type { Labels } from './alert.ts'

/** Alerts whose labels all match are answered in that channel. */
export interface AlertRoute {
  /** A label's name, and the pattern of its whole value. */
  readonly matchers: readonly { readonly label: string; readonly value: RegExp }[]
  /** A channel's id. */
  readonly channel: string
}

/** A table of routes that cannot be read; `message` is one line. */
export class AlertRoutesError extends Error {
  override name = 'AlertRoutesError'
}

export const isChannelId = (text: string): boolean => /^[CG][A-Z0-9]{6,}$/.test(text)

const example = 'write LABEL=GLOB:CHANNEL, as in namespace=shop-*:C0123456789'

const matcherOf = (text: string, route: string) => {
  const [, label = '', glob = ''] = /^([A-Za-z_]\w*)=([^=]*)$/.exec(text) ?? []
  if (label === '' || glob === '') throw new AlertRoutesError(`"${text}" in "${route}" is not LABEL=GLOB; ${example}`)
  const value = glob
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.')
  return { label, value: new RegExp(`^${value}$`) }
}

/**
 * Reads `LABEL=GLOB[&LABEL=GLOB…]:CHANNEL`, separated by commas or blanks. In a glob `*` is anything and `?` one character.
 * Throws AlertRoutesError.
 */
export const parseAlertRoutes = (text: string): readonly AlertRoute[] =>
  text
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(route => {
      const colon = route.lastIndexOf(':')
      const channel = route.slice(colon + 1)
      if (colon === -1) throw new AlertRoutesError(`"${route}" names no channel; ${example}`)
      if (!isChannelId(channel)) {
        throw new AlertRoutesError(
          `"${channel}" in "${route}" is not a channel's id; copy it (C…) from the end of the channel's details`,
        )
      }
      const matchers = route.slice(0, colon).split('&')
      return { matchers: matchers.map(matcher => matcherOf(matcher, route)), channel }
    })

/** The channel of the first route that an alert matches; a label that is missing counts as empty. Null: none. */
export const routedChannel = (labels: Labels, routes: readonly AlertRoute[]): string | null =>
  routes.find(({ matchers }) => matchers.every(({ label, value }) => value.test(labels[label] ?? '')))?.channel ?? null
