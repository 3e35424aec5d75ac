import { type ParseArgsConfig, parseArgs } from 'node:util'
import { UsageError } from './usage-error.ts'

type Options = NonNullable<ParseArgsConfig['options']>
type Parsed<T extends Options> = ReturnType<
  typeof parseArgs<{ options: T; args: string[]; strict: true; allowPositionals: true }>
>

/** Options and positionals of one command. Throws UsageError. */
export const parseCommandLine = <T extends Options>(args: readonly string[], options: T): Parsed<T> => {
  try {
    return parseArgs({ args: [...args], options, strict: true, allowPositionals: true })
  } catch (error) {
    const [sentence = 'this command line cannot be read'] = (error as Error).message.split(/\. |\n/)
    throw new UsageError(
      `${sentence.replace(/\.$/, '').replace(/^Unknown option/, 'unknown option')}; see podwhy --help`,
    )
  }
}

/** The value of an option that has a few; throws UsageError for another. */
export const oneOf = <T extends string>(option: string, value: string, allowed: readonly T[]): T => {
  const found = allowed.find(one => one === value)
  if (found === undefined) throw new UsageError(`${option} ${value}: use ${allowed.join(', ')}`)
  return found
}
