import type { Diagnosis } from './diagnosis.ts'

/**
 * The diagnosis with commands that name a context of kubectl: where several clusters are asked about, a pasted command must
 * not run against whichever is the current one. Null: they name none.
 */
export const withContext = (diagnosis: Diagnosis, context: string | null): Diagnosis =>
  context === null
    ? diagnosis
    : {
        ...diagnosis,
        commands: diagnosis.commands.map(command => {
          const [program, ...args] = command.argv
          return program === 'kubectl' ? { ...command, argv: [program, '--context', context, ...args] } : command
        }),
      }
