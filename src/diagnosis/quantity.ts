const decimalExponent = { n: -9, u: -6, m: -3, '': 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 } as const
const binaryExponent = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 } as const

const quantity = /^(?<amount>[+-]?(?:\d+\.?\d*|\.\d+))(?:[eE](?<exponent>[+-]?\d+)|(?<suffix>[numkMGTPE]|[KMGTPE]i)?)$/

/**
 * A Kubernetes quantity in whole units (cores, bytes): `100m` is 0.1, `1Gi` 1073741824, `1E` an exa-unit but `1E3` a
 * thousand. Null for anything that is none. Exact to 15 digits.
 */
export const parseQuantity = (value: string | number | null | undefined): number | null => {
  const { amount, exponent, suffix = '' } = quantity.exec(String(value ?? ''))?.groups ?? {}
  if (amount === undefined) return null
  const parsed = suffix.endsWith('i')
    ? Number(amount) * 2 ** binaryExponent[suffix as keyof typeof binaryExponent]
    : Number(`${amount}e${exponent ?? decimalExponent[suffix as keyof typeof decimalExponent]}`)
  return Number.isFinite(parsed) ? parsed : null
}

/** Bytes as people write them in manifests, to one decimal: `80Mi`, `1.5Gi`; below 1Ki just the number. */
export const formatMemory = (bytes: number): string => {
  for (const unit of ['Ei', 'Pi', 'Ti', 'Gi', 'Mi', 'Ki'] as const) {
    const amount = Math.round((bytes / 2 ** binaryExponent[unit]) * 10) / 10
    if (Math.abs(amount) >= 1) return `${amount}${unit}`
  }
  return String(bytes)
}

/** Cores as Kubernetes prints them: `2`, `1500m`. Less than a thousandth is cut up to one, as the API server does. */
export const formatCpu = (cores: number): string => {
  const milli = Math.ceil(Number((cores * 1000).toPrecision(12)))
  return milli % 1000 === 0 ? String(milli / 1000) : `${milli}m`
}
