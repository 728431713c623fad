import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { icon, lookScript } from '../../generated/look.ts'
import type { Answer } from '../../http/answer.ts'
import { type Assets, answerAsset, assetsOf } from '../../http/assets.ts'
import { answerContent, contentOf } from '../../http/conditional.ts'
import type { Incoming } from '../../http/incoming.ts'
import { memoize } from '../../kernel/memoize.ts'
import { findPackageRoot, version } from '../../kernel/package-root.ts'
import { pageSecurity } from './security-headers.ts'

export type PageOptions = {
  /** The folder in dist that scripts/build.mjs writes the bundle to. */
  folder: string
  /** The path below which the page's files are, without a slash in front. */
  path: string
  title: string
  /** Meta elements, in addition to those that all pages have. */
  meta?: string
  /** Shown when scripts are disabled. */
  noscript: string
  /** The directives of the Content-Security-Policy that allow what the page loads. */
  allowedSources: readonly string[]
  headers?: Record<string, string>
}

/** What differs between requests for the page. */
export type PageVariant = {
  /** Origins whose images are allowed too. */
  imageOrigins?: readonly string[]
  frameOrigins?: readonly string[]
  /** Elements at the end of the head. @param up the way to the root of the service, such as `../` */
  head?: (up: string) => string
}

export type BundledPage = {
  answerPage(incoming: Incoming, variant?: PageVariant): Promise<Answer>
  /** Returns null for a path that is not a file of the page. */
  answerFile(incoming: Incoming): Promise<Answer | null>
}

/** A page with a bundled script and style. Its files are read on the first request, and served from memory. */
export function createBundledPage({ folder, path, allowedSources, headers, ...frame }: PageOptions): BundledPage {
  const security = pageSecurity(allowedSources)
  return {
    async answerPage(incoming, { imageOrigins = [], frameOrigins, head } = {}) {
      const assets = await assetsOfFolder(folder)
      if (!assets) return answerUnbuilt(frame.title, security)
      const { version, imports } = assets
      const up = wayUp(incoming)
      const html = frameOf(`${up}${path}/${version}`, imports, { ...frame, head: head?.(up) })
      const pageHeaders = {
        'Content-Type': 'text/html; charset=utf-8',
        'Cache-Control': 'no-cache',
        ...headers,
        ...pageSecurity(withImages(allowedSources, imageOrigins), { frameOrigins }),
      }
      return answerContent(incoming, contentOf(html, pageHeaders))
    },
    async answerFile(incoming) {
      const assets = await assetsOfFolder(folder)
      return assets && answerAsset(incoming, assets, security)
    },
  }
}

const withImages = (directives: readonly string[], origins: readonly string[]) =>
  directives.map((one) => (one.startsWith('img-src ') ? [one, ...origins].join(' ') : one))

/** The way from the address of a request up to `/`: "../../" for `/dashboard/acme/home`. */
const wayUp = ({ path }: Incoming) => '../'.repeat(path.split('/').length - 2)

/** How esbuild writes the import of a part that is always needed. */
const staticImport = /\b(?:from|import)\s*"\.\/([\w.-]+\.js)"/g

/** How long a browser waits before it asks for an unbuilt page again. */
const retrySeconds = 2

/** Before the first start of a clone has built the page: see scripts/start.mjs. */
const answerUnbuilt = (title: string, security: Record<string, string>): Answer => ({
  status: 503,
  headers: {
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-store',
    'Retry-After': String(retrySeconds),
    ...security,
  },
  body: `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="color-scheme" content="light dark">
    <meta http-equiv="refresh" content="${retrySeconds}">
    <title>${title}</title>
  </head>
  <body>
    <p>This page is being built. It opens in a few seconds.</p>
  </body>
</html>
`,
})

/** The files of a page; null until they are built. */
async function assetsOfFolder(folder: string) {
  const bundle = join(findPackageRoot(), 'dist', folder)
  return existsSync(bundle) ? await assetsOfBundle(bundle) : null
}

/** Also what the page's script imports: browsers load it at once, not after they have read the script. */
const assetsOfBundle = memoize(async (bundle: string): Promise<Assets & { imports: string[] }> => {
  const contents = new Map<string, Uint8Array>([
    ['icon.svg', Buffer.from(icon)],
    ['theme.js', Buffer.from(lookScript)],
  ])
  for (const name of await readdir(bundle)) contents.set(name, await readFile(join(bundle, name)))
  const imports = new Set<string>()
  const follow = (name: string) => {
    for (const [, imported = ''] of Buffer.from(contents.get(name) ?? '')
      .toString()
      .matchAll(staticImport))
      if (!imports.has(imported)) {
        imports.add(imported)
        follow(imported)
      }
  }
  follow('page.js')
  return { ...assetsOf(contents), imports: [...imports] }
})

/** The HTML around the page's script, with relative addresses, for proxies. @param assets the files' folder */
const frameOf = (
  assets: string,
  imports: readonly string[],
  {
    title,
    meta = '',
    noscript,
    head = '',
  }: Pick<PageOptions, 'title' | 'meta' | 'noscript'> & { head?: string | undefined },
) =>
  `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="version" content="${version}">
    ${meta}<title>${title}</title>
    <link rel="icon" type="image/svg+xml" href="${assets}/icon.svg">
    <script src="${assets}/theme.js"></script>
    <link rel="stylesheet" href="${assets}/page.css">
    <script type="module" src="${assets}/page.js"></script>${imports.map((name) => `\n    <link rel="modulepreload" href="${assets}/${name}">`).join('')}${head}
  </head>
  <body>
    <div id="page"><noscript>${noscript}</noscript></div>
  </body>
</html>
`
