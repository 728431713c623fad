import { existsSync, mkdirSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/**
 * Makes a folder for its owner only, and the folders above it. `recursive` of Node.js is not used: it tries for ever
 * where a file system answers ENOENT, such as /proc.
 * @returns the topmost folder that was made; undefined if the folder exists
 */
export function makeFolders(folder: string): string | undefined {
  const path = resolve(folder)
  if (existsSync(path)) return undefined
  const first = makeFolders(dirname(path))
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    // Another process made it.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return first ?? path
}
