/** Where a call waits: before Slack has done anything, or when it is done and only the answer is missing. */
export type Held = 'arrival' | 'answer'

type Call = { method: string; args: Record<string, string> }

/** One call of the Web API that stands still, so that something can happen at exactly that moment. */
export type Hold = {
  /** Resolves when the call has got there. */
  reached: Promise<Call>
  /** Lets it go on. */
  release(): void
  /** Cuts its connection; what was not done by then is never done. */
  drop(): void
}

type Waiting = Hold & { method: string; at: Held; matches: (args: Call['args']) => boolean; wait: WaitFor }
type WaitFor = (call: Call) => Promise<'release' | 'drop'>

/** The holds of one Slack. Each takes one call: the first that matches it. */
export class SlackHolds {
  readonly #waiting = new Set<Waiting>()

  add(method: string, at: Held, matches: Waiting['matches']): Hold {
    const reached = Promise.withResolvers<Call>()
    const decided = Promise.withResolvers<'release' | 'drop'>()
    const hold: Waiting = {
      ...{ method, at, matches },
      reached: reached.promise,
      release: () => decided.resolve('release'),
      drop: () => decided.resolve('drop'),
      wait: call => {
        reached.resolve(call)
        return decided.promise
      },
    }
    this.#waiting.add(hold)
    return hold
  }

  /** Stands still where a hold says so; true: the connection is to be cut. */
  async pass(call: Call, at: Held): Promise<boolean> {
    const hold = [...this.#waiting].find(
      each => each.at === at && each.method === call.method && each.matches(call.args),
    )
    if (hold === undefined) return false
    this.#waiting.delete(hold)
    return (await hold.wait(call)) === 'drop'
  }
}
