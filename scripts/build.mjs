// Builds what is missing or older than its source: Prisma's client, the tracking script (as a module, so that it is part
// of the bundle), the pages at /graphql, /portal and /dashboard with the types of their operations, the bundle in dist, and
// the empty database that a first start extracts. `npm start` and the command line tools run this, so a fresh clone needs
// no separate build. If nothing changed, it takes milliseconds. An image that contains only dist has nothing to build.
import { spawn } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
process.chdir(root)

const generated = 'src/generated/prisma/client.ts'
const trackScript = 'src/generated/track-script.ts'
const graphiqlPage = 'dist/graphiql/page.js'
const portalClient = 'src/generated/portal/graphql.ts'
const portalPage = 'dist/portal/page.js'
const dashboardClient = 'src/generated/dashboard'
const dashboardPage = 'dist/dashboard/page.js'
const apiReference = 'dist/api-reference/swagger-ui-bundle.js'
const bundle = 'dist/main.js'
const emptyDatabase = 'dist/empty-database.tar.gz'

let isAnnounced = false
/** What was looked at, since some outputs are of the same sources. @type {Map<string, number>} */
const changes = new Map()

if (existsSync('src')) {
  const everything = !process.argv.includes('--generate-only')
  await Promise.all([
    isOlder(generated, ['prisma/schema.prisma', 'package-lock.json']) && run('prisma', ['generate']),
    isOlder(trackScript, ['src/server/pages/track-script', 'package-lock.json', 'scripts/build.mjs']) &&
      buildTrackScript(),
    isOlder(graphiqlPage, [
      'src/server/pages/graphiql',
      'src/kernel/money',
      'package-lock.json',
      'scripts/build.mjs',
    ]) && buildGraphiqlPage(),
    isOlder(apiReference, ['package-lock.json']) && copySwaggerUi(),
    preparePortal(),
    prepareDashboard(),
  ])
  const ofDatabase = ['package-lock.json', 'prisma/migrations', 'scripts/empty-database.ts']
  if (isOlder(emptyDatabase, ofDatabase)) await run('tsx', ['scripts/empty-database.ts', emptyDatabase])
  if (everything && isOlder(bundle, ['src', 'package-lock.json', 'scripts/bundle.mjs'])) await build()
  // The service may run in this process now.
  if (isAnnounced) await (await import('esbuild')).stop()
}

/** One line, on stderr: the output of a command line tool that builds first is for other programs. */
function announce() {
  if (isAnnounced) return
  isAnnounced = true
  console.error('Building Tributary, because its source is new or has changed. This can take a minute.')
}

/** The files of Swagger UI that the API reference needs. */
function copySwaggerUi() {
  const folder = dirname(apiReference)
  mkdirSync(folder, { recursive: true })
  for (const name of ['swagger-ui.css', 'swagger-ui-bundle.js'])
    copyFileSync(`node_modules/swagger-ui-dist/${name}`, `${folder}/${name}`)
}

/** The page imports types that are generated from its operations. */
async function preparePortal() {
  const sources = ['src/server/pages/portal', 'src/server/pages/parts', 'package-lock.json']
  const client = [...sources, 'schema.graphql', 'scripts/portal-client.ts', 'scripts/typed-client.ts']
  if (isOlder(portalClient, client)) await run('tsx', ['scripts/portal-client.ts'])
  if (isOlder(portalPage, [...sources, portalClient, 'src/kernel/money', 'scripts/build.mjs'])) await buildPortalPage()
}

async function prepareDashboard() {
  const sources = [
    'src/server/pages/dashboard',
    'src/server/pages/parts',
    'src/modules',
    'src/kernel',
    'package-lock.json',
  ]
  const client = [
    'src/server/pages/dashboard',
    'schema.graphql',
    'package-lock.json',
    'scripts/dashboard-client.ts',
    'scripts/typed-client.ts',
  ]
  if (isOlder(dashboardClient, client)) await run('tsx', ['scripts/dashboard-client.ts'])
  if (isOlder(dashboardPage, [...sources, dashboardClient, 'scripts/build.mjs'])) await buildDashboardPage()
}

/** @param {string} command @param {string[]} args @returns {Promise<void>} */
function run(command, args) {
  // Prisma finds its generators on the PATH.
  const env = { ...process.env, PATH: `${join(root, 'node_modules', '.bin')}${delimiter}${process.env.PATH}` }
  const child = spawn(command, args, { env, stdio: ['ignore', 'ignore', 'pipe'], shell: process.platform === 'win32' })
  let errorOutput = ''
  child.stderr.on('data', (text) => {
    errorOutput += text
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`${command} ${args.join(' ')}: ${errorOutput}`)),
    )
  })
}

async function build() {
  const { bundlePrograms, programs } = await import('./bundle.mjs')
  await bundlePrograms(programs, {
    outdir: 'dist',
    outbase: 'src',
    // Less to read at each start: names stay, and stack traces lead to the source.
    minifyWhitespace: true,
    minifySyntax: true,
    sourcemap: true,
    sourcesContent: false,
  })
}

async function buildTrackScript() {
  const { build: bundleWith } = await import('esbuild')
  const { outputFiles } = await bundleWith({
    entryPoints: ['src/server/pages/track-script/track.ts'],
    bundle: true,
    minify: true,
    write: false,
    platform: 'browser',
    format: 'iife',
    target: 'es2017',
    logLevel: 'warning',
  })
  const text = outputFiles.map((file) => file.text).join('')
  mkdirSync(dirname(trackScript), { recursive: true })
  writeFileSync(trackScript, `/** The content of /track.js. */\nexport const trackScript = ${JSON.stringify(text)}\n`)
}

/**
 * The page is served from dist, so its packages (React, GraphiQL, Monaco) are not needed at run time. Monaco's workers
 * are separate entry points in the same folder.
 */
async function buildGraphiqlPage() {
  const { build: bundleWith } = await import('esbuild')
  rmSync(dirname(graphiqlPage), { recursive: true, force: true })
  await bundleWith({
    entryPoints: {
      page: 'src/server/pages/graphiql/main.tsx',
      'editor.worker': 'monaco-editor/esm/vs/editor/editor.worker.js',
      'json.worker': 'monaco-editor/esm/vs/language/json/json.worker.js',
      'graphql.worker': 'monaco-graphql/esm/graphql.worker.js',
    },
    outdir: dirname(graphiqlPage),
    bundle: true,
    splitting: true,
    minify: true,
    platform: 'browser',
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [{ name: 'styles-once', setup: stylesOnce }],
    logLevel: 'warning',
  })
}

async function buildPortalPage() {
  const { build: bundleWith } = await import('esbuild')
  rmSync(dirname(portalPage), { recursive: true, force: true })
  await bundleWith({
    entryPoints: { page: 'src/server/pages/portal/main.tsx' },
    outdir: dirname(portalPage),
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

/** Each view of the dashboard is a file of its own, which is loaded when the view is opened. */
async function buildDashboardPage() {
  const [{ build: bundleWith }, { partOfZod }] = await Promise.all([import('esbuild'), import('./bundle.mjs')])
  rmSync(dirname(dashboardPage), { recursive: true, force: true })
  await bundleWith({
    entryPoints: { page: 'src/server/pages/dashboard/main.tsx' },
    outdir: dirname(dashboardPage),
    bundle: true,
    splitting: true,
    minify: true,
    platform: 'browser',
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [partOfZod],
    logLevel: 'warning',
  })
}

/**
 * GraphiQL's stylesheet includes Monaco's, so Monaco's own imports of it are dropped. Half a megabyte of fonts is dropped
 * in favour of system fonts.
 *
 * @param {import('esbuild').PluginBuild} build
 */
function stylesOnce(build) {
  build.onLoad({ filter: /monaco-editor[\\/].*\.css$/ }, () => ({ contents: '', loader: 'css' }))
  build.onLoad({ filter: /graphiql[\\/]dist[\\/]style\.css$/ }, async ({ path }) => ({
    contents: (await readFile(path, 'utf8')).replace(/@font-face\s*\{\s*font-family: "?(Roboto|Fira Code)[^}]*\}/g, ''),
    loader: 'css',
  }))
}

/** @param {string} output @param {string[]} inputs */
function isOlder(output, inputs) {
  const builtAt = statSync(output, { throwIfNoEntry: false })?.mtimeMs
  const isStale = builtAt === undefined || inputs.some((input) => newest(input) > builtAt)
  if (isStale) announce()
  return isStale
}

/** When a file, or anything in a folder, last changed. @param {string} path @returns {number} */
function newest(path) {
  const known = changes.get(path)
  if (known !== undefined) return known
  const stats = statSync(path)
  const changed = stats.isDirectory()
    ? Math.max(stats.mtimeMs, ...readdirSync(path).map((name) => newest(`${path}/${name}`)))
    : stats.mtimeMs
  changes.set(path, changed)
  return changed
}
