import { readdirSync } from 'node:fs'
import { build } from 'esbuild'

/** Packages with files of their own (WebAssembly, pages, worker threads), which a bundle would lose. */
const notBundled = [
  '@electric-sql/*',
  '@prisma/schema-engine-wasm',
  'pino',
  'pino-pretty',
  'swagger-ui-dist',
  'pg-native',
]

/** What packages in CommonJS expect of their module. */
const commonJs = `
import * as moduleForCommonJs from 'node:module'
import * as pathForCommonJs from 'node:path'
import * as urlForCommonJs from 'node:url'
const require = moduleForCommonJs.createRequire(import.meta.url)
const __filename = urlForCommonJs.fileURLToPath(import.meta.url)
const __dirname = pathForCommonJs.dirname(__filename)`

export const programs = [
  'src/main.ts',
  ...readdirSync('src/cli')
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `src/cli/${name}`),
]

/**
 * Bundles programs with their packages: looking up and reading a thousand files takes longer than the start itself.
 *
 * @param {string[]} entryPoints
 * @param {import('esbuild').BuildOptions} options
 */
export const bundlePrograms = (entryPoints, options) =>
  build({
    entryPoints,
    bundle: true,
    splitting: true,
    external: notBundled,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    banner: { js: commonJs },
    logLevel: 'warning',
    ...options,
  })
