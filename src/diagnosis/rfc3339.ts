const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/

/**
 * Milliseconds since 1970 of an RFC 3339 time as Kubernetes writes it; null for anything else, so that a damaged time is
 * an absent one and no text is ever read in the local time zone.
 */
export const epochMs = (time: string | null | undefined): number | null => {
  if (!time || !rfc3339.test(time)) return null
  const ms = Date.parse(time)
  return Number.isNaN(ms) ? null : ms
}
