/**
 * The queue did not take or give something in time. Of a question that was to be added this is a promise: it will not
 * be answered later either, so its asker can be told to ask again.
 */
export class QueueUnavailable extends Error {
  override readonly name = 'QueueUnavailable' as const
}

/**
 * Bounds `work` by `limitMs`; then, or when the work fails, throws `QueueUnavailable` saying `what` could not be done.
 * The work itself is not stopped.
 */
export const within = async <T>(limitMs: number, what: string, work: () => Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    // An answer that has arrived but not been read yet still counts: setImmediate lets it in before giving up.
    timer = setTimeout(() => setImmediate(() => reject(new Error(`no answer within ${limitMs} ms`))), limitMs)
  })
  try {
    return await Promise.race([work(), late])
  } catch (error) {
    if (error instanceof QueueUnavailable) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new QueueUnavailable(`${what}: ${reason}`, { cause: error })
  } finally {
    clearTimeout(timer)
  }
}
