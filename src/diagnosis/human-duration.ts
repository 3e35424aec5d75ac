const minute = 60
const hour = 60 * minute
const day = 24 * hour
const year = 365 * day

/**
 * A duration in kubectl's words: `119s`, `2m1s`, `179m`, `2d1h`. Everything is cut, nothing is rounded; one second in the
 * future counts as now, more is `<invalid>`. Limits: apimachinery util/duration, HumanDuration.
 */
export const humanDuration = (seconds: number): string => {
  const s = Math.trunc(seconds)
  if (!(s >= -1)) return '<invalid>'
  if (s < 0) return '0s'
  if (s < 2 * minute) return `${s}s`
  if (s < 10 * minute) return twoUnits(s, minute, 'm', 1, 's')
  if (s < 3 * hour) return `${count(s, minute)}m`
  if (s < 8 * hour) return twoUnits(s, hour, 'h', minute, 'm')
  if (s < 2 * day) return `${count(s, hour)}h`
  if (s < 8 * day) return twoUnits(s, day, 'd', hour, 'h')
  if (s < 2 * year) return `${count(s, day)}d`
  if (s < 8 * year) return twoUnits(s, year, 'y', day, 'd')
  return `${count(s, year)}y`
}

const count = (seconds: number, unit: number): number => Math.floor(seconds / unit)

const twoUnits = (seconds: number, big: number, bigName: string, small: number, smallName: string): string => {
  const rest = count(seconds % big, small)
  return `${count(seconds, big)}${bigName}${rest === 0 ? '' : `${rest}${smallName}`}`
}
