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

/** How an operator runs a command: a checkout has scripts of npm, an installed package has the program alone. */
export const commandLine = (name: 'start' | 'restore' | 'move' | 'doctor', args = ''): string => {
  const isCheckout = existsSync(join(findPackageRoot(), 'src'))
  const script = name === 'start' ? 'npm start' : `npm run ${name}`
  return isCheckout ? `${script}${args && ` -- ${args}`}` : `tributary ${name}${args && ` ${args}`}`
}

export const version: string = JSON.parse(readFileSync(join(findPackageRoot(), 'package.json'), 'utf8')).version
