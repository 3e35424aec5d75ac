import { writeFileSync } from 'node:fs'
import { causesPage } from './causes-page.ts'

/** `npm run docs`: writes `docs/causes.md` from the catalogue. */
writeFileSync('docs/causes.md', causesPage())
