import { execFileSync, spawn } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { processCpuMs } from './cpu.ts'
import { createFilledDatabase, fillEmbedded } from './filled.ts'
import { median } from './measure.ts'

export const summary =
  'From `npm start` to the demo key from a fresh clone, and to ready later, after a kill, and on PostgreSQL (BENCH_DATABASE_URL).'
export const unit = 'sales in the database'
export const defaultSize = 10_000

const runs = 3

/** Opening the embedded database alone: machines differ by three times, so times are multiples of it. */
const openAlone = `
  import { PGlite } from '@electric-sql/pglite'
  const pglite = await PGlite.create(process.env.DATA_DIR + '/db')
  await pglite.query('select 1')
  console.log('opened')
  await pglite.close()`

type Started = { ms: number; cpuMs: number }
type Start = { command: string; args: string[]; env: Record<string, string>; signal?: NodeJS.Signals }

const production = { NODE_ENV: 'production', ADMIN_TOKEN: 'operator-token-of-the-bench' }

export async function run(sales: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-bench-'))
  try {
    const env = { ...production, DATA_DIR: join(folder, 'data'), DATABASE_URL: '' }
    await fillEmbedded(env.DATA_DIR, sales)
    const forUnit = join(folder, 'unit')
    cpSync(env.DATA_DIR, forUnit, { recursive: true })
    const alone: Start = {
      command: process.execPath,
      args: ['--input-type=module', '-e', openAlone],
      env: { DATA_DIR: forUnit },
    }
    const report = (what: string, goal: string, start: () => Promise<Started>) => compare(what, goal, alone, start)
    await report('npm start, from a fresh clone to the demo key', '14 units', () => startFreshClone(folder))
    const later = (start: Partial<Start>) => () =>
      startUntil('service ready', { command: 'npm', args: ['start'], env, signal: 'SIGTERM', ...start })
    await report('npm start, embedded', '1.6 units', later({}))
    await report('node dist/main.js, embedded', '', later({ command: process.execPath, args: ['dist/main.js'] }))
    const killed = later({ signal: 'SIGKILL' })
    await killed()
    await report('npm start, embedded, after kill -9', '2.5 units', killed)
    if (process.env.BENCH_DATABASE_URL === undefined) return
    const { databaseUrl, drop } = await createFilledDatabase({ sales, affiliates: 1_000 })
    const onPostgres = later({ env: { ...production, DATA_DIR: env.DATA_DIR, DATABASE_URL: databaseUrl } })
    await report('npm start, PostgreSQL', '1 s on a fast machine', onPostgres).finally(drop)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Each run is beside one of the unit, because a machine is not equally fast all the time. */
async function compare(what: string, goal: string, alone: Start, start: () => Promise<Started>): Promise<void> {
  const units: Started[] = []
  const started: Started[] = []
  for (let n = 0; n < runs; n += 1) {
    units.push(await startUntil('opened', alone))
    started.push(await start())
  }
  const [ofUnit, of] = [units, started].map((times) => ({
    ms: median(times.map(({ ms }) => ms)),
    cpuMs: median(times.map(({ cpuMs }) => cpuMs)),
  })) as [Started, Started]
  const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`
  console.log(
    `${what}: ${(of.ms / ofUnit.ms).toFixed(1)} units${goal && ` (goal ${goal})`}, ${seconds(of.ms)}, CPU ${seconds(of.cpuMs)}; ` +
      `a unit is ${seconds(ofUnit.ms)}, CPU ${seconds(ofUnit.cpuMs)}`,
  )
}

/** The last commit with the packages of this folder: nothing is built, and there is no database. */
async function startFreshClone(folder: string): Promise<Started> {
  const clone = join(folder, 'clone')
  execFileSync('git', ['clone', '--quiet', '.', clone])
  symlinkSync(resolve('node_modules'), join(clone, 'node_modules'))
  const env = { DATABASE_URL: '', DATA_DIR: join(clone, 'data'), NODE_ENV: 'development' }
  return await startUntil('Demo key', { command: 'npm', args: ['start'], env, signal: 'SIGTERM' }, clone).finally(() =>
    rmSync(clone, { recursive: true, force: true }),
  )
}

/** Starts a program, and stops it when it has printed a text. Its CPU time is that of all processes that it started. */
async function startUntil(text: string, { command, args, env, signal }: Start, cwd = '.'): Promise<Started> {
  const startedAt = performance.now()
  // In a process group of its own, because npm starts the service through other processes.
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  })
  const pid = child.pid as number
  const ended = new Promise((done) => child.once('close', done))
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.includes(text)) continue
    const ms = performance.now() - startedAt
    const cpuMs = await groupCpuMs(pid)
    child.stdout.resume()
    if (signal) process.kill(-pid, signal)
    await ended
    return { ms, cpuMs }
  }
  throw new Error(`${command} ${args.join(' ')} ended before it printed "${text}".`)
}

async function groupCpuMs(group: number): Promise<number> {
  const pids = execFileSync('ps', ['-A', '-o', 'pid=,pgid='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([pid, pgid]) => (pid !== undefined && pgid === group ? [pid] : []))
  const times = await Promise.all(pids.map((pid) => processCpuMs(pid).catch(() => 0)))
  return times.reduce((sum, ms) => sum + ms, 0)
}
