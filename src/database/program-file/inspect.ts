import { OperatorError } from '../operator-error.ts'
import type { Header, Trailer } from './format.ts'
import { readProgramFile } from './read-part.ts'

export type Access = {
  keys: { name: string; lastFour: string; access: string; secretHash: string; isRevoked: boolean }[]
  members: { email: string; name: string; role: string }[]
  invitations: { email: string; role: string }[]
}

/** A whole file that was read and checked, before anything of it is imported. */
export type Inspected = { header: Header; trailer: Trailer; access: Access }

/** More people and keys than any program has. */
const mostOfAccess = 100_000

/** Reads a program's file to its end. @param check gets the header before rows are read @throws OperatorError */
export async function inspectProgramFile(file: string, check: (header: Header) => Promise<void>): Promise<Inspected> {
  const access: Access = { keys: [], members: [], invitations: [] }
  let header: Header | undefined
  let trailer: Trailer | undefined
  for await (const part of readProgramFile(file)) {
    if ('header' in part) {
      header = part.header
      const counts = new Map(header.tables.map(({ name, count }) => [name, count]))
      const found = ['api_keys', 'members', 'invitations'].find((name) => (counts.get(name) ?? 0) > mostOfAccess)
      if (found)
        throw new OperatorError(`The file has more than ${mostOfAccess} rows of ${found}. Nothing was imported.`)
      await check(header)
    } else if ('trailer' in part) trailer = part.trailer
    else if ('rows' in part) for (const row of part.rows) note(access, header as Header, part.table, row)
  }
  return { header: header as Header, trailer: trailer as Trailer, access }
}

function note({ keys, members, invitations }: Access, { program }: Header, table: string, text: string): void {
  if (table === 'api_keys') {
    const row = JSON.parse(text)
    const isRevoked = (row.revoked_at ?? null) !== null
    keys.push({
      name: shown(row.name),
      lastFour: shown(row.last_four),
      access: shown(row.access),
      isRevoked,
      secretHash: String(row.secret_hash),
    })
  }
  if (table === 'members') {
    const row = JSON.parse(text)
    members.push({ email: shown(row.email), name: shown(row.person_name), role: shown(row.role) })
  }
  if (table === 'invitations') {
    const row = JSON.parse(text)
    invitations.push({ email: shown(row.email), role: shown(row.role) })
  }
  if (table === 'programs') checkNames(program, JSON.parse(text))
}

/** Slug and publishable keys are compared with those of other programs as the header has them. */
function checkNames({ slug, name, publishableKeys }: Header['program'], row: Record<string, unknown>): void {
  const keys = [row.publishable_key, row.previous_publishable_key].filter((key) => (key ?? null) !== null)
  if (row.slug === slug && row.name === name && keys.join(' ') === publishableKeys.join(' ')) return
  throw new OperatorError(
    'The file is not one of export-program: its first line names another slug, name or publishable key than the row of the program. Nothing was imported. Be sure where the file comes from.',
  )
}

/** Texts of a file are printed on a terminal. */
const shown = (value: unknown): string =>
  String(value ?? '')
    .replace(/\p{C}/gu, '')
    .slice(0, 255)
