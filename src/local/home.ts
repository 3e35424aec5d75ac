/** The app's Home tab, as the one user of the local channel sees it. */
export interface Home {
  /** What was published last; null: nothing yet. */
  blocks(): readonly object[] | null
  publish(blocks: readonly object[]): void
  /** Calls `listener` with what is published from now on; gives the function that ends it. */
  subscribe(listener: (blocks: readonly object[]) => void): () => void
}

export function openHome(): Home {
  let published: readonly object[] | null = null
  const listeners = new Set<(blocks: readonly object[]) => void>()
  return {
    blocks: () => published,
    publish(blocks) {
      published = blocks
      for (const listener of listeners) listener(blocks)
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
