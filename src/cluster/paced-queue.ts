/** Work that waits for its turn: so many a second, so many at once, so many waiting. */
export interface PacedQueue {
  /** Takes a piece of work; false where too many wait already. */
  add(work: () => Promise<void>): boolean
  /** Forgets what waits, and waits for what runs. */
  close(): Promise<void>
}

export interface Pace {
  readonly perSecond: number
  readonly atOnce: number
  /** What waits beyond this is turned away. */
  readonly waiting: number
}

/** Opens a queue in this process; work never rejects. */
export const openPacedQueue = ({ perSecond, atOnce, waiting }: Pace): PacedQueue => {
  const line: (() => Promise<void>)[] = []
  const running = new Set<Promise<void>>()
  let nextAt = 0
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  const turn = (): void => {
    if (isClosed || timer !== undefined || line.length === 0 || running.size >= atOnce) return
    const waitMs = nextAt - Date.now()
    if (waitMs > 0) {
      timer = setTimeout(() => {
        timer = undefined
        turn()
      }, waitMs)
      return
    }
    nextAt = Date.now() + 1000 / perSecond
    const work = line.shift()
    if (!work) return
    const run: Promise<void> = work().finally(() => {
      running.delete(run)
      turn()
    })
    running.add(run)
    turn()
  }

  return {
    add(work) {
      if (isClosed || line.length >= waiting) return false
      line.push(work)
      turn()
      return true
    },
    async close() {
      isClosed = true
      clearTimeout(timer)
      line.length = 0
      await Promise.all(running)
    },
  }
}
