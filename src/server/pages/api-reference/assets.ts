import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Assets, assetsOf } from '../../../http/assets.ts'
import { findPackageRoot } from '../../../kernel/package-root.ts'
import { startScript } from './page.ts'
import { style } from './style.ts'

/** The files of Swagger UI, which scripts/build.mjs copies to dist. */
const vendored = ['swagger-ui.css', 'swagger-ui-bundle.js']
const own: Record<string, string> = { 'page.css': style, 'start.js': startScript }

/** Reads the files that the page loads. */
export async function readAssets(): Promise<Assets> {
  const folder = join(findPackageRoot(), 'dist', 'api-reference')
  const contents = new Map<string, Uint8Array>()
  for (const name of vendored) contents.set(name, await readFile(join(folder, name)))
  for (const [name, text] of Object.entries(own)) contents.set(name, Buffer.from(text))
  return assetsOf(contents)
}
