/** A command line that cannot be obeyed; `message` is one line for the one who typed it. Exit status 2. */
export class UsageError extends Error {
  override name = 'UsageError'
}
