const quote = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)

/** The command as a line for a POSIX shell; `argv` begins with the program. */
export const kubectlCommand = (argv: readonly string[]): string => argv.map(quote).join(' ')
