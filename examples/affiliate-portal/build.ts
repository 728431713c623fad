import { cpSync, mkdirSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build as bundle } from 'esbuild'
import { generate } from './codegen.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Generates the client's types and bundles the page into dist. */
export async function build(): Promise<void> {
  await generate()
  mkdirSync(here('dist'), { recursive: true })
  cpSync(here('page/index.html'), here('dist/index.html'))
  await bundle({
    entryPoints: [
      { in: here('page/main.tsx'), out: 'page' },
      { in: here('page/style.css'), out: 'page' },
    ],
    outdir: here('dist'),
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
