import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of package.json. The code runs from src/ with tsx and from dist/ when bundled, at different depths. */
export function findPackageRoot(from: string = import.meta.url): string {
  let folder = dirname(fileURLToPath(from))
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder)
    if (parent === folder) throw new Error(`no package.json above ${fileURLToPath(from)}`)
    folder = parent
  }
  return folder
}

export const version: string = JSON.parse(readFileSync(join(findPackageRoot(), 'package.json'), 'utf8')).version
