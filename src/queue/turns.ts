/** Lets one piece of work at a time have something that cannot be shared, in the order asked. */
export interface Turns {
  /** Runs `work` when its turn comes. */
  take<T>(work: () => Promise<T>): Promise<T>
  /** Waits for a turn and keeps it until the function it gives is called. */
  hold(): Promise<() => void>
}

/** A new queue of turns. */
export const turns = (): Turns => {
  let last: Promise<unknown> = Promise.resolve()

  const hold = async (): Promise<() => void> => {
    const before = last
    let end = () => {}
    last = new Promise<void>(resolve => {
      end = resolve
    })
    await before
    return end
  }

  const take = async <T>(work: () => Promise<T>): Promise<T> => {
    const end = await hold()
    try {
      return await work()
    } finally {
      end()
    }
  }

  return { take, hold }
}
