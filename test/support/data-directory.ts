import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { inject, onTestFinished } from 'vitest'

/** A folder that is gone after the test. */
export async function makeTemporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-test-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** A data directory with an empty, migrated database. */
export async function makeDataDir(): Promise<string> {
  const dataDir = join(await makeTemporaryFolder(), 'data')
  await cp(inject('databases').dataDir, dataDir, { recursive: true, mode: 0 })
  return dataDir
}

export type Child = {
  process: ChildProcess
  lines: string[]
  /** The next line that starts so; throws when the process ends without one. */
  waitFor(start: string): Promise<string>
  exited: Promise<{ code: number | null; output: string }>
}

/** Runs a program of the repository in a process of its own, bundled where it is; it is killed at the end of the test. */
export function startChild(file: string, args: string[], env: NodeJS.ProcessEnv = {}): Child {
  const bundled = join(inject('programs'), file.replace(/\.ts$/, '.mjs'))
  const program = existsSync(bundled) ? [bundled] : ['--import', 'tsx', file]
  const child = spawn(process.execPath, [...program, ...args], {
    env: { ...process.env, DATABASE_URL: '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
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
  const waitFor = (start: string) =>
    new Promise<string>((done, fail) => {
      const look = () => {
        const line = lines.find((candidate) => candidate.startsWith(start))
        if (line === undefined && !hasExited) return
        waiting.delete(look)
        if (line === undefined) fail(new Error(`no line "${start}" but:\n${lines.join('\n')}`))
        else done(line)
      }
      waiting.add(look)
      look()
    })
  return { process: child, lines, waitFor, exited }
}
