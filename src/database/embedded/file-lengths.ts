import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import type { Logger } from 'pino'
import { OperatorError } from '../operator-error.ts'
import { databaseFolder, restoreCommand } from './folder.ts'

// PostgreSQL finds a damaged page by its checksum, but a file that has lost its end is to it a table with fewer rows.
// So the lengths of all files are noted whenever they are known to be on disk, and compared at the next start.

/** Beside the database, so that it is in no backup. */
const noteName = 'database-files.json'

/** `control` is the state of the database that the lengths are of: another version of Tributary may have run since. */
type Note = { control: string; isClosed: boolean; lengths: Record<string, number> }

const maximumNamed = 3

/** Empty if the file is missing, which the engine reports. */
function controlOf(folder: string): string {
  const path = join(folder, 'global', 'pg_control')
  return existsSync(path) ? createHash('sha256').update(readFileSync(path)).digest('hex') : ''
}

/** The files of tables and indexes. Others, such as maps of free space, are made again if missing. */
function lengthsOf(folder: string): Record<string, number> {
  const databases = readdirSync(join(folder, 'base')).map((name) => `base/${name}`)
  const lengths: Record<string, number> = {}
  for (const place of ['global', ...databases]) {
    for (const name of readdirSync(join(folder, place)))
      if (/^\d+(\.\d+)?$/.test(name)) lengths[`${place}/${name}`] = statSync(join(folder, place, name)).size
  }
  return lengths
}

/**
 * Notes how long the files of the database are. Call it where all of them are on disk and nothing runs: right after a
 * checkpoint, a start, or the end of the engine. Until the next note, files only grow, or are dropped. Without a note,
 * as on a full disk, nothing is compared.
 */
export function noteLengths(dataDir: string, log: Logger, { isClosed = false } = {}): void {
  const folder = databaseFolder(dataDir)
  const path = join(dataDir, noteName)
  try {
    const note: Note = { control: controlOf(folder), isClosed, lengths: lengthsOf(folder) }
    writeFileSync(`${path}.new`, JSON.stringify(note), { mode: 0o600 })
    renameSync(`${path}.new`, path)
  } catch (err) {
    log.warn({ err }, 'lengths of the database files not noted')
  }
}

/**
 * Compares the files with the last note, before the engine starts.
 *
 * @returns checks the rest with the engine: files that are missing may have been dropped after the note
 * @throws OperatorError if a file is shorter than it was, or missing
 */
export function checkLengths(dataDir: string): (pglite: PGlite) => Promise<void> {
  const folder = databaseFolder(dataDir)
  const note = readNote(dataDir)
  if (note?.control !== controlOf(folder)) return async () => {}
  const missing: string[] = []
  const damaged: string[] = []
  for (const [name, length] of Object.entries(note.lengths)) {
    const path = join(folder, name)
    if (!existsSync(path)) (note.isClosed ? damaged : missing).push(name)
    // A table that is dropped is empty until the next checkpoint.
    else if (statSync(path).size < length && (note.isClosed || statSync(path).size > 0)) damaged.push(name)
  }
  refuse(folder, damaged)
  return async (pglite) => {
    if (missing.length === 0) return
    const { rows } = await pglite.query<{ path: string }>(
      `SELECT pg_relation_filepath(oid) AS path FROM pg_class WHERE relkind IN ('r', 'i', 't', 'm', 'S')`,
    )
    const used = new Set(rows.map(({ path }) => path))
    refuse(
      folder,
      missing.filter((name) => used.has(name.replace(/\.\d+$/, ''))),
    )
  }
}

function readNote(dataDir: string): Note | null {
  try {
    return JSON.parse(readFileSync(join(dataDir, noteName), 'utf8')) as Note
  } catch {
    return null
  }
}

function refuse(folder: string, files: readonly string[]): void {
  if (files.length === 0) return
  const others = files.length - maximumNamed
  const named = files.slice(0, maximumNamed).join(', ') + (others > 0 ? ` and ${others} more` : '')
  throw new OperatorError(
    `The database in ${folder} cannot be opened and may be damaged: ${named} lost a part. Restore a backup: ${restoreCommand}`,
  )
}
