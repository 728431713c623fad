// Builds what is missing or older than its source: Prisma's client, the tracking script (as a module, so that it is part
// of the bundle), the pages at /graphql, /portal and /dashboard with the types of their operations, the bundle in dist, and
// the empty database that a first start extracts. `npm start` and the command line tools call this, so a fresh clone needs
// no separate build. If nothing changed, it takes milliseconds.
import { spawn } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { readFile } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import { basename, delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
process.chdir(root)

const thisFile = 'scripts/build.mjs'

const prismaClient = 'src/generated/prisma/client.ts'
const trackScript = 'src/generated/track-script.ts'
const embedScripts = 'src/generated/embed-scripts.ts'
const verifyPage = 'src/generated/verify-page.ts'
const look = 'src/generated/look.ts'
const mappings = 'src/modules/feeds/kinds/generic/mapping-process.ts'
const mappingProcess = 'src/generated/mapping-process.ts'
const portalClient = 'src/generated/portal/graphql.ts'
const dashboardClient = 'src/generated/dashboard'
const graphiqlPage = 'dist/graphiql/page.js'
const portalPage = 'dist/portal/page.js'
const portalOperations = 'dist/portal-operations/operations.js'
const dashboardPage = 'dist/dashboard/page.js'
const apiReference = 'dist/api-reference/swagger-ui-bundle.js'
const fonts = 'dist/fonts'
const bundle = 'dist/main.js'
const emptyDatabase = 'dist/empty-database.tar.gz'
const bundledPackages = 'dist/bundled-packages'
/** The folder of the package that a file belongs to. */
const packageFolder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/

const portal = 'src/pages/portal'
const dashboard = 'src/pages/dashboard'
const parts = 'src/pages/parts'
const graphiql = 'src/pages/graphiql'
const shared = [parts, 'src/texts', 'src/pages/look', 'src/kernel/money', thisFile]
const typeSources = ['schema.graphql', 'scripts/page-clients.ts', 'scripts/typed-client.ts']

/** What is served to browsers, in an order: a page is bundled with its types. */
const pages = [
  {
    what: 'types of the portal',
    output: portalClient,
    sources: [portal, ...typeSources],
    make: () => generateTypes('portal'),
  },
  { what: 'portal', output: portalPage, sources: [portal, portalClient, ...shared], make: buildPortalPage },
  {
    what: 'types of the dashboard',
    output: dashboardClient,
    sources: [dashboard, ...typeSources],
    make: () => generateTypes('dashboard'),
  },
  {
    what: 'dashboard',
    output: dashboardPage,
    sources: [dashboard, dashboardClient, 'src/modules', 'src/kernel', ...shared],
    make: buildDashboardPage,
  },
  { what: 'GraphiQL', output: graphiqlPage, sources: [graphiql, ...shared], make: buildGraphiqlPage },
]

/** Whether this is the process that builds only pages. */
const isOfPages = process.argv.includes('--pages')
let isAnnounced = false
/** What was looked at, since some outputs are of the same sources. @type {Map<string, number>} */
const changes = new Map()
/** An image that contains only dist has nothing to build. */
const hasSource = existsSync('src')

/** Builds what the service and the command line tools need. */
export async function buildService() {
  if (!hasSource) return
  await Promise.all([makeFiles(), generateSources().then(makeBundle)])
  await endBuild()
}

/** Builds what is served to browsers in a process of its own, with low priority: the service starts meanwhile. */
export async function buildPagesBeside() {
  if (!hasSource || !pages.some(({ output, sources }) => isOlder(output, sources))) return
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), '--pages'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW)
  process.once('exit', () => child.kill())
  await ended(child, () => 'The pages could not be built.')
}

if (process.argv[1] === fileURLToPath(import.meta.url) && hasSource) {
  if (isOfPages) await buildPages()
  else {
    const isBundled = !process.argv.includes('--generate-only')
    const made = generateSources().then(() => isBundled && makeBundle())
    await Promise.all([makeFiles(), made.then(buildPages)])
  }
  await endBuild()
}

async function buildPages() {
  for (const { what, output, sources, make } of pages) await prepare(what, output, sources, make)
}

/** After the sources are generated, which are newer then. */
function makeBundle() {
  return prepare('service', bundle, [...serviceSources(), 'clients/verifier', 'scripts/bundle.mjs'], bundleService)
}

/** Nothing else needs esbuild's process. */
async function endBuild() {
  if (isAnnounced) await (await import('esbuild')).stop()
}

/** What the service reads, beside its bundle. */
function makeFiles() {
  return Promise.all([
    makeEmptyDatabase(),
    prepare('API reference', apiReference, [], copySwaggerUi),
    prepare('fonts', fonts, [thisFile], copyFonts),
  ])
}

/** In a process, so on a core, of its own: it takes the longest. */
function makeEmptyDatabase() {
  const sources = ['prisma/migrations', 'prisma/sql', 'scripts/empty-database.ts', 'src/kernel/setting-names.ts']
  // Most of the engine's code runs once here, so V8 does not optimise it.
  const args = ['--liftoff-only', '--import', 'tsx', 'scripts/empty-database.ts', emptyDatabase]
  return prepare('empty database', emptyDatabase, sources, () => run('node', args))
}

function generateSources() {
  return Promise.all([
    prepare('database client', prismaClient, ['prisma/schema.prisma'], () => run('prisma', ['generate'])),
    prepare('tracking script', trackScript, ['src/pages/track-script', thisFile], buildTrackScript),
    prepare('scripts of frames', embedScripts, ['src/pages/embed', thisFile], buildEmbedScripts),
    prepare('process of mappings', mappingProcess, [mappings, 'src/kernel/text.ts', thisFile], buildMappingProcess),
    prepare('page that verifies', verifyPage, ['clients/verifier', thisFile], buildVerifyPage),
    prepare('look of pages', look, ['src/pages/look', `${parts}/style`, thisFile], buildLook),
  ])
}

/** The pages import types that are generated from their operations. @param {'portal' | 'dashboard'} page */
function generateTypes(page) {
  return run('tsx', ['scripts/page-clients.ts', page])
}

/** All of `src` but the pages and their types. */
function serviceSources() {
  const ofPages = ['src/pages', 'src/generated', dirname(portalClient), dashboardClient]
  return ['src', 'src/generated']
    .flatMap((folder) => readdirSync(folder).map((name) => `${folder}/${name}`))
    .filter((path) => !ofPages.includes(path))
}

/**
 * Makes an output that is missing or older than its sources, and says so on stderr: the output of a command line tool that
 * builds first is for other programs.
 *
 * @param {string} what @param {string} output @param {string[]} sources @param {() => Promise<void>} make
 */
async function prepare(what, output, sources, make) {
  if (!isOlder(output, sources)) return
  if (!isAnnounced) announce()
  const startedAt = performance.now()
  await make()
  changes.clear()
  console.error(`  ${what}: ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
}

function announce() {
  isAnnounced = true
  console.error(
    isOfPages
      ? 'Building the pages, while the service starts.'
      : 'Building Tributary, because its source is new or has changed. This can take a minute.',
  )
  // esbuild is a Go program that ends with the build: it collects no garbage until it has much.
  process.env.GOGC ??= 'off'
  process.env.GOMEMLIMIT ??= '768MiB'
}

/** The files of Swagger UI that the API reference needs. */
async function copySwaggerUi() {
  const folder = dirname(apiReference)
  mkdirSync(folder, { recursive: true })
  for (const name of ['swagger-ui.css', 'swagger-ui-bundle.js'])
    copyFileSync(`node_modules/swagger-ui-dist/${name}`, `${folder}/${name}`)
}

/** The parts of Noto Sans that PDFs are written in: src/modules/statements/pdf/fonts.ts lists them too. */
async function copyFonts() {
  const scripts = ['latin', 'latin-ext', 'vietnamese', 'greek', 'greek-ext', 'cyrillic', 'cyrillic-ext', 'devanagari']
  const parts = [
    ...scripts.map((script) => `noto-sans/files/noto-sans-${script}`),
    ...['japanese', '66', '67'].map((part) => `noto-sans-jp/files/noto-sans-jp-${part}`),
  ]
  const partial = `${fonts}.partial`
  for (const outdated of [fonts, partial]) rmSync(outdated, { recursive: true, force: true })
  mkdirSync(partial, { recursive: true })
  for (const part of parts) {
    const file = `${part}-400-normal.woff`
    copyFileSync(`node_modules/@fontsource/${file}`, join(partial, basename(file)))
  }
  renameSync(partial, fonts)
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
  return ended(child, () => `${command} ${args.join(' ')}: ${errorOutput}`)
}

/** @param {import('node:child_process').ChildProcess} child @param {() => string} problem @returns {Promise<void>} */
function ended(child, problem) {
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => (code === 0 ? resolve() : reject(new Error(problem()))))
  })
}

async function bundleService() {
  const { bundlePrograms, programs } = await import('./bundle.mjs')
  const { metafile } = await bundlePrograms(programs, {
    metafile: true,
    outdir: 'dist',
    outbase: 'src',
    // Less to read at each start: names stay, and stack traces lead to the source.
    minifyWhitespace: true,
    minifySyntax: true,
    sourcemap: true,
    sourcesContent: false,
  })
  notePackages('service', metafile)
  demandAscii(metafile)
}

/**
 * V8 keeps a source with another character in two bytes for each. esbuild escapes such characters in strings, but not in
 * regular expressions and tagged templates.
 *
 * @param {import('esbuild').Metafile | undefined} metafile
 */
function demandAscii(metafile) {
  const large = Object.entries(metafile?.outputs ?? {}).filter(
    ([path, { bytes }]) => path.endsWith('.js') && bytes > 1e6,
  )
  for (const [path] of large) {
    const found = /.{0,60}[^\0-\x7f].{0,60}/.exec(readFileSync(path, 'utf8'))
    if (found) throw new Error(`${path} has a character that is not ASCII: ${found[0]}`)
  }
}

/**
 * Notes which packages a bundle contains, for `scripts/licenses.ts`.
 *
 * @param {string} name @param {import('esbuild').Metafile | undefined} metafile
 */
function notePackages(name, metafile) {
  const folders = Object.keys(metafile?.inputs ?? {}).flatMap((path) => path.match(packageFolder)?.[0] ?? [])
  mkdirSync(bundledPackages, { recursive: true })
  writeFileSync(`${bundledPackages}/${name}.json`, JSON.stringify([...new Set(folders)].sort(), null, 2))
}

async function buildTrackScript() {
  const text = await scriptText('src/pages/track-script/track.ts')
  mkdirSync(dirname(trackScript), { recursive: true })
  writeFileSync(trackScript, `/** The content of /track.js. */\nexport const trackScript = ${JSON.stringify(text)}\n`)
}

/** The script for pages of other sites that show a page in a frame, and the one for pages in frames. */
async function buildEmbedScripts() {
  const [outer, inner] = await Promise.all([
    scriptText('src/pages/embed/embed.ts'),
    scriptText('src/pages/embed/join-frame.ts'),
  ])
  mkdirSync(dirname(embedScripts), { recursive: true })
  writeFileSync(
    embedScripts,
    `/** The content of /portal/embed.js and /join/embed.js. */
export const embedScript = ${JSON.stringify(outer)}
/** The content of /join/frame.js. */
export const frameScript = ${JSON.stringify(inner)}
`,
  )
}

/** The script and the style of /verify, which are in the page: it needs no other file. */
async function buildVerifyPage() {
  const script = await scriptText('clients/verifier/page/page.ts', 'es2022')
  const { build } = await import('esbuild')
  const { outputFiles } = await build({
    entryPoints: ['clients/verifier/page/page.css'],
    minify: true,
    write: false,
    logLevel: 'warning',
  })
  const style = outputFiles.map((file) => file.text).join('')
  mkdirSync(dirname(verifyPage), { recursive: true })
  writeFileSync(
    verifyPage,
    `/** What is in the page at /verify. */
export const verifyScript = ${JSON.stringify(script.replaceAll('</', '<\\/'))}
export const verifyStyle = ${JSON.stringify(style)}
`,
  )
}

/** The program of the process that evaluates mappings, as one text: it has no file of its own in a bundle. */
async function buildMappingProcess() {
  const { build } = await import('esbuild')
  const { outputFiles } = await build({
    entryPoints: [mappings],
    bundle: true,
    minify: true,
    write: false,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    logLevel: 'warning',
  })
  const text = outputFiles.map((file) => file.text).join('')
  mkdirSync(dirname(mappingProcess), { recursive: true })
  writeFileSync(
    mappingProcess,
    `/** The program of the process that evaluates mappings. */\nexport const mappingProcess = ${JSON.stringify(text)}\n`,
  )
}

/** A script for any browser, as one text. @param {string} entry @param {string} target */
async function scriptText(entry, target = 'es2017') {
  const { build } = await import('esbuild')
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    platform: 'browser',
    format: 'iife',
    target,
    logLevel: 'warning',
  })
  return outputFiles.map((file) => file.text).join('')
}

/** What all pages share, as a module: colours, the theme, the icon. */
async function buildLook() {
  const { build } = await import('esbuild')
  const options = { bundle: true, minify: true, write: false, logLevel: /** @type {const} */ ('warning') }
  const textOf = async (/** @type {string} */ entry) =>
    (await build({ ...options, entryPoints: [entry], format: 'iife', target: 'es2022' })).outputFiles[0]?.text ?? ''
  const texts = {
    lookStyle: await textOf('src/pages/look/look.css'),
    lookScript: await textOf('src/pages/look/look.ts'),
    icon: await readFile('src/pages/look/icon.svg', 'utf8'),
  }
  mkdirSync(dirname(look), { recursive: true })
  writeFileSync(
    look,
    Object.entries(texts)
      .map(([name, text]) => `export const ${name} = ${JSON.stringify(text)}\n`)
      .join(''),
  )
}

/** Monaco's workers are separate entry points in the same folder. */
async function buildGraphiqlPage() {
  await buildPage(graphiqlPage, {
    entryPoints: {
      page: `${graphiql}/main.tsx`,
      'editor.worker': 'monaco-editor/esm/vs/editor/editor.worker.js',
      'json.worker': 'monaco-editor/esm/vs/language/json/json.worker.js',
      'graphql.worker': 'monaco-graphql/esm/graphql.worker.js',
    },
    splitting: true,
    plugins: [{ name: 'styles-once', setup: stylesOnce }],
  })
}

/** The QR code is a file of its own, which is loaded when one is shown. */
async function buildPortalPage() {
  // The service reads the page's queries: see src/server/graphql/persisted-operations.ts.
  await buildPage(portalOperations, { entryPoints: { operations: portalClient } })
  await buildPage(portalPage, { entryPoints: { page: `${portal}/main.tsx` }, splitting: true })
}

/** Each view of the dashboard is a file of its own, which is loaded when the view is opened. */
async function buildDashboardPage() {
  const { partOfZod } = await import('./bundle.mjs')
  await buildPage(dashboardPage, {
    entryPoints: { page: `${dashboard}/main.tsx` },
    splitting: true,
    plugins: [partOfZod],
  })
}

/**
 * A page is served from dist, so its packages (React, GraphiQL, Monaco) are not needed at run time.
 *
 * @param {string} page @param {import('esbuild').BuildOptions} options
 */
async function buildPage(page, options) {
  const { build } = await import('esbuild')
  const folder = dirname(page)
  // The service may read the folder while it is written: it has all files, or does not exist.
  const partial = `${folder}.partial`
  for (const outdated of [folder, partial]) rmSync(outdated, { recursive: true, force: true })
  const { metafile } = await build({
    metafile: true,
    outdir: partial,
    bundle: true,
    minify: true,
    platform: 'browser',
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'warning',
    ...options,
  })
  notePackages(basename(folder), metafile)
  renameSync(partial, folder)
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

/** Everything depends on the versions of packages too. @param {string} output @param {string[]} sources */
function isOlder(output, sources) {
  const builtAt = statSync(output, { throwIfNoEntry: false })?.mtimeMs
  return builtAt === undefined || [...sources, 'package-lock.json'].some((source) => newest(source) > builtAt)
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
