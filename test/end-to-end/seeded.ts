/** Random numbers that come again with the same seed. */
export interface Seeded {
  /** At least 0, below 1. */
  number(): number
  /** The same items in another order. */
  shuffled<Item>(items: readonly Item[]): Item[]
}

/** Mulberry32: small, and good enough to spread moments and orders. */
export const seeded = (seed: number): Seeded => {
  let state = seed >>> 0
  const number = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    number,
    shuffled: items =>
      items
        .map(item => ({ item, at: number() }))
        .sort((a, b) => a.at - b.at)
        .map(({ item }) => item),
  }
}
