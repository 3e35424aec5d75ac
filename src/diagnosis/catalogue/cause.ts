/** One cause, for people: the page `docs/causes.md` is made of these. */
export interface Cause {
  /** What is wrong, in one sentence. */
  readonly what: string
  /** What podwhy reads to tell it from others. */
  readonly looksAt: string
  readonly todo: string
}

/** The causes of one family, by id; an id is never renamed. */
export type Causes = Readonly<Record<string, Cause>>
