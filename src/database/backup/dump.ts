import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { OperatorError } from '../operator-error.ts'

/**
 * Writes a PostgreSQL database to a file with pg_dump, in its custom format. The file appears only when it is complete.
 * @throws OperatorError if the file exists, pg_dump is not installed, or it fails
 */
export async function dumpDatabase(databaseUrl: string, file: string): Promise<void> {
  const path = resolve(file)
  if (existsSync(path)) throw new OperatorError(`${path} already exists; a backup does not overwrite files.`)
  if (!existsSync(dirname(path))) throw new OperatorError(`The folder ${dirname(path)} does not exist.`)
  const partial = `${path}.partial`
  try {
    // pg_dump keeps the mode of a file that exists: only the owner may read personal data.
    await writeFile(partial, '', { mode: 0o600 })
    await runPgDump(databaseUrl, partial)
    await rename(partial, path)
  } finally {
    await rm(partial, { force: true })
  }
}

/** The password is in a file of its own: other users of the machine see the arguments of a process. */
async function runPgDump(databaseUrl: string, file: string): Promise<void> {
  const url = new URL(databaseUrl)
  const passwords = `${file}.${randomBytes(4).toString('hex')}`
  if (url.password !== '') {
    const password = decodeURIComponent(url.password).replace(/[\\:]/g, '\\$&')
    await writeFile(passwords, `*:*:*:*:${password}\n`, { mode: 0o600 })
    url.password = ''
    url.searchParams.set('passfile', passwords)
  }
  const args = ['--format=custom', '--enable-row-security', `--file=${file}`, `--dbname=${url}`]
  try {
    await run('pg_dump', args)
  } finally {
    await rm(passwords, { force: true })
  }
}

function run(command: string, args: string[]): Promise<void> {
  return new Promise((done, fail) => {
    const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'] })
    let errors = ''
    child.stderr.on('data', (text) => {
      errors += text
    })
    child.on('error', () =>
      fail(
        new OperatorError(
          `${command} was not found. Install the client programs of PostgreSQL, in the version of the server or later.`,
        ),
      ),
    )
    child.on('close', (code) => {
      if (code === 0) done()
      else fail(new OperatorError(`${command} failed: ${errors.trim()}`))
    })
  })
}
