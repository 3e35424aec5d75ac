import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The page's script and style sheet, each as one file without imports. */
export interface PageFiles {
  readonly script: string
  readonly style: string
}

/** What the page needs: built ahead of time in an installed package, bundled now (within a second) in a clone. */
export async function pageFiles(): Promise<PageFiles> {
  return (await builtBefore(import.meta.dirname)) ?? (await bundlePage())
}

/** Bundles the page and writes `page.js` and `page.css` to `directory`: where the compiled module of this file lies. */
export async function buildPage(directory: string): Promise<void> {
  const { script, style } = await bundlePage()
  await writeFile(join(directory, 'page.js'), script)
  await writeFile(join(directory, 'page.css'), style)
}

async function builtBefore(directory: string): Promise<PageFiles | null> {
  try {
    const [script, style] = await Promise.all(
      ['page.js', 'page.css'].map(name => readFile(join(directory, name), 'utf8')),
    )
    return script !== undefined && style !== undefined ? { script, style } : null
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

async function bundlePage(): Promise<PageFiles> {
  // A development dependency: an installed package has the built files and never comes here.
  const { build } = await import('esbuild')
  const { outputFiles } = await build({
    entryPoints: ['main.tsx', 'page.css'].map(name => join(import.meta.dirname, 'page', name)),
    outdir: 'memory',
    write: false,
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    legalComments: 'none',
    logLevel: 'silent',
  })
  const file = (end: string) => outputFiles.find(({ path }) => path.endsWith(end))?.text ?? ''
  return { script: file('.js'), style: file('.css') }
}
