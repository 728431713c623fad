import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { build } from 'esbuild'

/**
 * Packages with files of their own (WebAssembly, worker threads), which a bundle would lose. They are the dependencies in
 * package.json, and part of the package that `npm pack` makes.
 */
const notBundled = ['@electric-sql/*', '@prisma/schema-engine-wasm', 'pino', 'pino-pretty', 'pg-native']

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
 * esbuild keeps the whole of a namespace that is imported by its name, with the messages of zod in 50 languages. Imported
 * as a module, only what is used remains.
 *
 * @type {import('esbuild').Plugin}
 */
export const partOfZod = {
  name: 'part-of-zod',
  setup: (build) =>
    build.onLoad({ filter: /src[\\/].*\.ts$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replace("import { z } from 'zod'", "import * as z from 'zod'"),
      loader: 'ts',
    })),
}

/**
 * graphql as modules, also for packages in CommonJS: there must be one of it, and as CommonJS each import of it copies all
 * its names when the service starts.
 *
 * @type {import('esbuild').Plugin}
 */
const graphqlAsModules = {
  name: 'graphql-as-modules',
  setup: (build) =>
    build.onResolve({ filter: /^graphql(\/|$)/ }, ({ path }) => ({
      path: createRequire(import.meta.url)
        .resolve(path)
        .replace(/\.js$/, '.mjs'),
    })),
}

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
    plugins: [partOfZod, graphqlAsModules],
    logLevel: 'warning',
    ...options,
  })
