import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { OperatorError } from '../operator-error.ts'
import { readHosts } from '../postgres/hosts.ts'
import { passwordFileOf, writeWhole } from './partial.ts'

/**
 * Writes a PostgreSQL database to a file with pg_dump, in its custom format. The file appears only when it is complete.
 * @throws OperatorError if the file exists, pg_dump is not installed, or it fails
 */
export async function dumpDatabase(databaseUrl: string, file: string, signal?: AbortSignal): Promise<void> {
  const path = resolve(file)
  if (existsSync(path)) throw new OperatorError(`${path} already exists; a backup does not overwrite files.`)
  if (!existsSync(dirname(path))) throw new OperatorError(`The folder ${dirname(path)} does not exist.`)
  await writeWhole(path, async (partial) => {
    // pg_dump keeps the mode of a file that exists: only the owner may read personal data.
    await writeFile(partial, '', { mode: 0o600 })
    await runPgDump(databaseUrl, partial, signal)
  })
}

/** @throws OperatorError if pg_dump is not installed, or is older than the server, whose databases it then refuses */
export async function requirePgDump(serverMajor: number): Promise<void> {
  const printed = await run('pg_dump', ['--version'])
  const major = Number(/\d+/.exec(printed.replace(/^[^)]*\)/, ''))?.[0])
  if (!(major >= serverMajor))
    throw new OperatorError(
      `pg_dump is version ${major}, but the server is PostgreSQL ${serverMajor}. ${installClients}`,
    )
}

/** The password is in a file of its own: other users of the machine see the arguments of a process. */
async function runPgDump(databaseUrl: string, file: string, signal: AbortSignal | undefined): Promise<void> {
  const { url, password } = toLibpq(databaseUrl)
  const passwords = passwordFileOf(file)
  const parameter = password === '' ? '' : `${url.includes('?') ? '&' : '?'}passfile=${encodeURIComponent(passwords)}`
  if (password !== '') await writeFile(passwords, `*:*:*:*:${password.replace(/[\\:]/g, '\\$&')}\n`, { mode: 0o600 })
  const args = ['--format=custom', '--enable-row-security', `--file=${file}`, `--dbname=${url}${parameter}`]
  try {
    await run('pg_dump', args, signal)
  } finally {
    await rm(passwords, { force: true })
  }
}

/** A DATABASE_URL as libpq reads it, without the password. It may name several servers. */
function toLibpq(databaseUrl: string): { url: string; password: string } {
  const { url: firstUrl, hosts } = readHosts(databaseUrl)
  const url = new URL(firstUrl)
  const password = decodeURIComponent(url.password)
  url.password = ''
  // Ours alone, and not of libpq.
  url.searchParams.delete('schema')
  if (url.searchParams.get('sslmode') === 'no-verify') url.searchParams.set('sslmode', 'require')
  const places = hosts.map(({ host, port }) => `${host.includes(':') ? `[${host}]` : encodeURIComponent(host)}:${port}`)
  const isOne = places.length === 0
  return { url: isOne ? url.href : url.href.replace(url.host, places.join(',')), password }
}

const installClients = 'Install the client programs of PostgreSQL, in the version of the server or later.'

function run(command: string, args: string[], signal?: AbortSignal): Promise<string> {
  return new Promise((done, fail) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], signal })
    let printed = ''
    let errors = ''
    child.stdout.on('data', (text) => {
      printed += text
    })
    child.stderr.on('data', (text) => {
      errors += text
    })
    child.on('error', ({ code, message }: NodeJS.ErrnoException) =>
      fail(new OperatorError(code === 'ENOENT' ? `${command} was not found. ${installClients}` : message)),
    )
    child.on('close', (code) => {
      if (code === 0) done(printed)
      else fail(new OperatorError(`${command} failed: ${errors.trim()}`))
    })
  })
}
