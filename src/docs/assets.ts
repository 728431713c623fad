import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { icon, startScript } from './page.ts'
import { style } from './style.ts'

const require = createRequire(import.meta.url)

export type Asset = { body: Uint8Array<ArrayBuffer>; gzipped: Uint8Array<ArrayBuffer>; type: string }

export type Assets = {
  /** Changes with any of the files, so that each can be kept for ever under its address. */
  version: string
  files: ReadonlyMap<string, Asset>
}

/** Swagger UI's package also has maps, licences and three more builds; these two are all that the page needs. */
const vendored = ['swagger-ui.css', 'swagger-ui-bundle.js']
const own: Record<string, string> = { 'page.css': style, 'start.js': startScript, 'icon.svg': icon }
const types: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
}

/** The files that the page loads, read once, when somebody first asks for it. */
export async function readAssets(): Promise<Assets> {
  const folder = dirname(require.resolve('swagger-ui-dist/package.json'))
  const files = new Map<string, Asset>()
  for (const name of vendored) files.set(name, await assetOf(name, await readFile(join(folder, name))))
  for (const [name, text] of Object.entries(own)) files.set(name, await assetOf(name, Buffer.from(text)))
  const hash = createHash('sha256')
  for (const { body } of files.values()) hash.update(body)
  return { version: hash.digest('hex').slice(0, 12), files }
}

async function assetOf(name: string, content: Buffer): Promise<Asset> {
  const gzipped = await promisify(gzip)(content)
  const type = types[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream'
  return { body: new Uint8Array(content), gzipped: new Uint8Array(gzipped), type }
}
