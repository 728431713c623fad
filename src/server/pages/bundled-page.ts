import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findPackageRoot } from '../../database/package-root.ts'
import { type Assets, answerAsset, assetsOf } from '../../http/assets.ts'
import { answerContent, contentOf } from '../../http/conditional.ts'
import { icon } from './api-reference/page.ts'

type BundledPage = {
  /** The folder in dist where scripts/build.mjs put what it made of the page's sources. */
  folder: string
  /** Where the page is, without a slash; its files are below. */
  path: string
  title: string
  /** Meta elements beside those that all pages have. */
  meta?: string
  /** What stands there where no script runs. */
  noscript: string
  contentSecurityPolicy: readonly string[]
  headers?: Record<string, string>
}

/** A page whose script and style are bundled, answered from memory: its files are read once, when somebody first asks. */
export function createBundledPage({ folder, path, contentSecurityPolicy, headers, ...frame }: BundledPage) {
  const security = {
    'Content-Security-Policy': contentSecurityPolicy.join('; '),
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
  }
  let assets: Promise<Assets> | undefined
  const theAssets = () => {
    assets ??= readAssets(folder)
    return assets
  }
  return {
    async answerPage(request: Request): Promise<Response> {
      const { version } = await theAssets()
      const shown = { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-cache', ...headers, ...security }
      return answerContent(request, contentOf(frameOf(`${path}/${version}`, frame), shown))
    },
    answerFile: async (request: Request, pathname: string): Promise<Response | null> =>
      answerAsset(request, pathname, await theAssets(), security),
  }
}

async function readAssets(folder: string): Promise<Assets> {
  const bundle = join(findPackageRoot(), 'dist', folder)
  const contents = new Map<string, Uint8Array>([['icon.svg', Buffer.from(icon)]])
  for (const name of await readdir(bundle)) contents.set(name, await readFile(join(bundle, name)))
  return assetsOf(contents)
}

/**
 * The frame that the page's script fills. Every address in it is relative, so that it works below a path of a proxy too.
 *
 * @param assets where the page's files are, seen from the page
 */
const frameOf = (assets: string, { title, meta = '', noscript }: Pick<BundledPage, 'title' | 'meta' | 'noscript'>) =>
  `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    ${meta}<title>${title}</title>
    <link rel="icon" type="image/svg+xml" href="${assets}/icon.svg">
    <link rel="stylesheet" href="${assets}/page.css">
    <script type="module" src="${assets}/page.js"></script>
  </head>
  <body>
    <div id="page"><noscript>${noscript}</noscript></div>
  </body>
</html>
`
