import type { Role } from '../config.ts'

/** Runs the service until it is told to stop. */
export const serve = async (_options: {
  readonly role: Role
  readonly env: Readonly<Record<string, string | undefined>>
}): Promise<void> => {
  throw new Error('serve is under construction')
}
