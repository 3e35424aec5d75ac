const minute = 60
const hour = 60 * minute
const day = 24 * hour
const year = 365 * day

const parts = (big: number, bigUnit: string, small: number, smallUnit: string): string =>
  small === 0 ? `${big}${bigUnit}` : `${big}${bigUnit}${small}${smallUnit}`

/** A duration as `kubectl` prints ages: `45s`, `2m15s`, `3h20m`, `6d4h`; finer units only while they matter. */
export const duration = (seconds: number): string => {
  const s = Math.max(Math.floor(seconds), 0)
  const m = Math.floor(s / minute)
  const h = Math.floor(s / hour)
  const d = Math.floor(s / day)
  const y = Math.floor(s / year)
  if (s < 2 * minute) return `${s}s`
  if (m < 10) return parts(m, 'm', s % minute, 's')
  if (h < 3) return `${m}m`
  if (h < 8) return parts(h, 'h', m % 60, 'm')
  if (h < 48) return `${h}h`
  if (d < 8) return parts(d, 'd', h % 24, 'h')
  if (y < 2) return `${d}d`
  return y < 8 ? parts(y, 'y', d % 365, 'd') : `${y}y`
}
