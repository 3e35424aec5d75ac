import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { buildPage } from './page-files.ts'

// Step of `npm pack`, after the compiler: what the compiled modules here read from their own folder.
const built = join(import.meta.dirname, '../../dist/local')
await buildPage(built)
await cp(join(import.meta.dirname, 'demo'), join(built, 'demo'), { recursive: true })
