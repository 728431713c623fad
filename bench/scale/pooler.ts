import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { setForPooler } from '../../test/support/database.ts'
import { findFreePort } from '../../test/support/free-port.ts'
import { withServer } from '../../test/support/global-setup.ts'
import { giveToPostgres } from '../../test/support/postgres-cluster.ts'

/** Another build than the installed one: PGBOUNCER=/path/to/pgbouncer. */
const program = process.env.PGBOUNCER ?? 'pgbouncer'

/** How many sessions of the server the pooler shares out. */
const poolSize = 20

/** PgBouncer in transaction mode in front of a server, whose database gets the settings that the service needs then. */
export async function startPooler(serverUrl: string) {
  const version = readVersion()
  await setForPooler(serverUrl)
  const folder = mkdtempSync(join(tmpdir(), 'tributary-pooler-'))
  chmodSync(folder, 0o711)
  const port = await findFreePort()
  const file = join(folder, 'pgbouncer.ini')
  const server = new URL(serverUrl)
  writeFileSync(join(folder, 'users'), '"postgres" ""\n')
  writeFileSync(
    file,
    `[databases]
* = host=${server.hostname} port=${server.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${join(folder, 'users')}
pool_mode = transaction
default_pool_size = ${poolSize}
max_client_conn = 500
${keepsPrepared(version) ? 'max_prepared_statements = 256' : ''}
${process.getuid?.() === 0 ? 'user = postgres' : ''}
`,
  )
  giveToPostgres(folder)
  const child = spawn(program, ['-q', file], { stdio: 'ignore' })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const url = Object.assign(new URL(serverUrl), { port: `${port}` }).href
  while (!(await answers(url))) {
    if (child.exitCode !== null) throw new Error(`PgBouncer ended with ${child.exitCode}: run it with ${file}`)
    await pause(50)
  }
  return {
    url,
    version,
    pid: child.pid as number,
    stop: async () => {
      child.kill('SIGKILL')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function readVersion(): string {
  try {
    return /[\d.]+/.exec(execFileSync(program, ['--version'], { encoding: 'utf8' }))?.[0] ?? ''
  } catch {
    throw new Error('PgBouncer is not installed: apt-get install pgbouncer')
  }
}

/** Since 1.21. Older versions refuse to start with the setting. */
function keepsPrepared(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > 1 || minor >= 21
}

const answers = (url: string) =>
  withServer(url, (client) => client.query('select 1')).then(
    () => true,
    () => false,
  )
