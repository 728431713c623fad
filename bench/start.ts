import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fillEmbedded } from './embedded.ts'
import { createFilledDatabase } from './filled.ts'
import { median } from './measure.ts'

export const summary = 'From `npm start` to ready with data, with nothing to build. PostgreSQL and embedded.'
export const unit = 'sales in the database'
export const defaultSize = 10_000

const runs = 3

export async function run(sales: number): Promise<void> {
  const { databaseUrl, drop } = await createFilledDatabase({ sales, affiliates: 1_000 })
  await report('PostgreSQL', { DATABASE_URL: databaseUrl }, 1_000).finally(drop)
  const dataDir = await mkdtemp(join(tmpdir(), 'tributary-bench-'))
  try {
    await fillEmbedded(dataDir, sales)
    await report('embedded', { DATA_DIR: dataDir, DATABASE_URL: '' }, 3_000)
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function report(what: string, env: Record<string, string>, goalMs: number): Promise<void> {
  const times = { 'npm start': [] as number[], 'node dist/main.js': [] as number[] }
  for (let n = 0; n < runs; n += 1) {
    times['npm start'].push(await timeToReady('npm', ['start'], env))
    times['node dist/main.js'].push(await timeToReady(process.execPath, ['dist/main.js'], env))
  }
  for (const [command, ms] of Object.entries(times))
    console.log(`${what}, ${command}: ${median(ms).toFixed(0)} ms to ready (goal ${goalMs})`)
}

async function timeToReady(command: string, args: string[], env: Record<string, string>): Promise<number> {
  const startedAt = performance.now()
  // In a process group of its own, because npm starts the service through other processes.
  const child = spawn(command, args, {
    env: { ...process.env, NODE_ENV: 'production', PORT: '0', ADMIN_TOKEN: 'operator-token-of-the-bench', ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  })
  const ended = new Promise((resolve) => child.once('close', resolve))
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.includes('service ready')) continue
    const ms = performance.now() - startedAt
    child.stdout.resume()
    process.kill(-(child.pid as number), 'SIGTERM')
    await ended
    return ms
  }
  throw new Error(`${command} ${args.join(' ')} ended before it was ready.`)
}
