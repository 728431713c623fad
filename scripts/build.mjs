// Makes what the source needs to run, where it is missing or older than the source: Prisma's client, and the bundle in
// dist. `npm start` and the command line tools come through here, so a fresh clone needs no build step of its own; where
// nothing changed it costs some milliseconds. An image that holds only dist has nothing to build.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
process.chdir(root)

const generated = 'src/generated/prisma/client.ts'
const bundle = 'dist/main.js'

if (existsSync('src')) {
  if (isOlder(generated, ['prisma/schema.prisma', 'package-lock.json'])) generate()
  if (!process.argv.includes('--generate-only') && isOlder(bundle, ['src', 'package-lock.json', 'scripts/build.mjs']))
    await build()
}

function generate() {
  // Prisma looks for its generators among the commands of installed packages.
  const env = { ...process.env, PATH: `${join(root, 'node_modules', '.bin')}${delimiter}${process.env.PATH}` }
  execFileSync('prisma', ['generate'], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  })
}

async function build() {
  const { build: bundleWith } = await import('esbuild')
  await bundleWith({
    entryPoints: ['src/main.ts', ...readdirSync('src/cli').map((file) => `src/cli/${file}`)],
    outdir: 'dist',
    outbase: 'src',
    bundle: true,
    splitting: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    sourcemap: true,
    logLevel: 'warning',
  })
}

/** @param {string} output @param {string[]} inputs */
function isOlder(output, inputs) {
  if (!existsSync(output)) return true
  const made = statSync(output).mtimeMs
  return inputs.some((input) => newest(input) > made)
}

/** @param {string} path @returns {number} */
function newest(path) {
  const stats = statSync(path)
  if (!stats.isDirectory()) return stats.mtimeMs
  return Math.max(stats.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))))
}
