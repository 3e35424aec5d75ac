import { statfsSync } from 'node:fs'
import { DirectoryInUse } from './directory-lock.ts'

/** The data directory cannot be used; the message says what is wrong with it and what to do. */
export class DataDirectoryUnusable extends Error {
  override readonly name = 'DataDirectoryUnusable' as const
}

/** A new database takes about so much. */
const NEEDED_BYTES = 64 * 1024 * 1024

const ELSEWHERE = 'set PODWHY_DATA_DIR to another directory'
const FULL = `is on a disk that is full; make room there, or ${ELSEWHERE}`

// PGlite's file system has numbers of its own: wasi-libc's errno.
const codeByErrno: Readonly<Record<number, string>> = {
  2: 'EACCES',
  51: 'ENOSPC',
  54: 'ENOTDIR',
  63: 'EPERM',
  69: 'EROFS',
}

const codeOf = (error: unknown): string | undefined => {
  const { code, name, errno } = Object(error)
  if (typeof code === 'string' && code.startsWith('E')) return code
  return name === 'ErrnoError' ? codeByErrno[errno] : undefined
}

const wrongs: Readonly<Record<string, string>> = {
  EACCES: `may not be written by this user; give it the right to, or ${ELSEWHERE}`,
  EPERM: `may not be written by this user; give it the right to, or ${ELSEWHERE}`,
  EROFS: `is on a read-only file system; ${ELSEWHERE}`,
  EEXIST: `is no directory; move what is there away, or ${ELSEWHERE}`,
  ENOTDIR: `is no directory, or lies in what is none; ${ELSEWHERE}`,
  ENOSPC: FULL,
  EDQUOT: FULL,
}

/** Free bytes where the directory is; infinite where that cannot be told. */
const freeBytes = (directory: string): number => {
  try {
    const { bavail, bsize } = statfsSync(directory)
    return bavail * bsize
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

/**
 * What opening the data directory failed with, as one line that names the directory. `free`: bytes left there.
 * DirectoryInUse stays what it is.
 */
export const unusable = (directory: string, error: unknown, free = freeBytes(directory)): Error => {
  if (error instanceof DirectoryInUse) return error
  const wrong = wrongs[codeOf(error) ?? ''] ?? (free < NEEDED_BYTES ? FULL : null)
  const reason = error instanceof Error ? error.message : JSON.stringify(error)
  const broken = `holds a database that cannot be opened (${reason}); move ${directory} away – what still waits in it is lost –, or ${ELSEWHERE}`
  return new DataDirectoryUnusable(`the data directory ${directory} ${wrong ?? broken}`, { cause: error })
}
