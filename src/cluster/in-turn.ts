/** Runs `act` on each item, at most `atOnce` at the same time; the results stand in the items' order. */
export const inTurn = async <T, R>(
  items: readonly T[],
  atOnce: number,
  act: (item: T) => Promise<R>,
): Promise<readonly R[]> => {
  const results: R[] = []
  let next = 0
  const work = async () => {
    for (let index = next++; index < items.length; index = next++) results[index] = await act(items[index] as T)
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, work))
  return results
}
