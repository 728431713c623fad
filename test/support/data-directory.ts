import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { inject, onTestFinished } from 'vitest'
import { openEmbedded } from '../../src/database/embedded/open.ts'
import { silentLog } from './database.ts'

/** Creates a folder that is deleted after the test. */
export async function makeTemporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-test-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Creates a data directory with an empty, migrated database. */
export async function makeDataDir(): Promise<string> {
  const dataDir = join(await makeTemporaryFolder(), 'data')
  await cp(inject('databases').dataDir, dataDir, { recursive: true, mode: 0 })
  return dataDir
}

/** Creates the embedded database of a release from its dump, in place of the tables that a new one has. */
export async function loadDump(dataDir: string, sql: string): Promise<void> {
  const { pglite, close } = await openEmbedded({ dataDir, log: silentLog })
  await pglite.exec(`drop schema public cascade; create schema public; ${sql}`).finally(close)
}

export type Child = {
  process: ChildProcess
  lines: string[]
  /** Returns the first line with this start, and throws when the process ends without one. */
  waitFor(start: string): Promise<string>
  /** Returns the line that says that the service waits for requests, and throws when the process ends without it. */
  ready(): Promise<string>
  exited: Promise<{ code: number | null; output: string }>
}

/** Starts a program of the repository in its own process, bundled if possible, and kills it after the test. */
export function startChild(file: string, args: string[], env: NodeJS.ProcessEnv = {}): Child {
  const bundled = join(inject('programs'), file.replace(/\.ts$/, '.mjs'))
  const program = existsSync(bundled) ? [bundled] : ['--import', 'tsx', file]
  const child = spawn(process.execPath, [...program, ...args], {
    env: { ...process.env, DATABASE_URL: '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'exit')
  // Its folders are removed next, so nothing may write to them.
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const lines: string[] = []
  const waiting = new Set<() => void>()
  const onLine = (line: string) => {
    lines.push(line)
    for (const wake of waiting) wake()
  }
  createInterface({ input: child.stdout }).on('line', onLine)
  createInterface({ input: child.stderr }).on('line', onLine)
  let hasExited = false
  const exited = new Promise<{ code: number | null; output: string }>((done) => {
    child.on('close', (code) => {
      hasExited = true
      for (const wake of waiting) wake()
      done({ code, output: lines.join('\n') })
    })
  })
  const waitUntil = (text: string, fits: (line: string) => boolean) =>
    new Promise<string>((done, fail) => {
      const check = () => {
        const line = lines.find(fits)
        if (line === undefined && !hasExited) return
        waiting.delete(check)
        if (line === undefined) fail(new Error(`no line "${text}" but:\n${lines.join('\n')}`))
        else done(line)
      }
      waiting.add(check)
      check()
    })
  const waitFor = (start: string) => waitUntil(start, (line) => line.startsWith(start))
  const ready = () => waitUntil('service ready', (line) => line.includes('service ready'))
  return { process: child, lines, waitFor, ready, exited }
}

/** What a start of the service prints, until it waits for requests; it is stopped again. */
export async function startAndStop({ args = [], env }: { args?: string[]; env: NodeJS.ProcessEnv }): Promise<string> {
  const child = startChild('src/main.ts', args, { PORT: '0', LOG_LEVEL: 'info', ...env })
  await child.ready()
  child.process.kill('SIGTERM')
  const { code, output } = await child.exited
  if (code !== 0) throw new Error(`exit code ${code}:\n${output}`)
  return output
}
