import { cpSync, mkdirSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build as bundle } from 'esbuild'
import { writePortalClient } from '../../scripts/page-clients.ts'
import { generate } from './codegen.ts'

const pathOf = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Generates the types of the page's operations, and bundles the page into dist. */
export async function build(): Promise<void> {
  await Promise.all([generate(), writePortalClient()])
  mkdirSync(pathOf('dist'), { recursive: true })
  cpSync(pathOf('page/index.html'), pathOf('dist/index.html'))
  await bundle({
    entryPoints: { page: pathOf('page/main.tsx') },
    outdir: pathOf('dist'),
    bundle: true,
    minify: true,
    platform: 'browser',
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'warning',
  })
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await build()
