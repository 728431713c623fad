import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { type Assets, assetsOf } from '../../../http/assets.ts'
import { icon, startScript } from './page.ts'
import { style } from './style.ts'

const require = createRequire(import.meta.url)

/** The two files of Swagger UI's package that the page needs. */
const vendored = ['swagger-ui.css', 'swagger-ui-bundle.js']
const own: Record<string, string> = { 'page.css': style, 'start.js': startScript, 'icon.svg': icon }

/** Reads the files that the page loads. */
export async function readAssets(): Promise<Assets> {
  const folder = dirname(require.resolve('swagger-ui-dist/package.json'))
  const contents = new Map<string, Uint8Array>()
  for (const name of vendored) contents.set(name, await readFile(join(folder, name)))
  for (const [name, text] of Object.entries(own)) contents.set(name, Buffer.from(text))
  return assetsOf(contents)
}
