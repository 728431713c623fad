import { closeSync, fsyncSync, openSync } from 'node:fs'
import { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { addFsync, type EngineModule, stopEngine } from '../seams/pglite.ts'
import { isDiskFull } from './disk-full.ts'

/** PGlite turns fsync off by default. The emulated system calls support only fsync; O_DSYNC would be ignored. */
export const durableStartParams = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
  '-c',
  'fsync=on',
  '-c',
  'wal_sync_method=fsync',
  // Few files of the log are kept for later use: of 16 MB each.
  '-c',
  'min_wal_size=32MB',
  '-c',
  'max_wal_size=32MB',
  // The operating system keeps the files in memory too. The default, 128 MB, reads no faster.
  '-c',
  'shared_buffers=32MB',
  // A file that is shorter than it was is damaged: see file-lengths.ts.
  '-c',
  'vacuum_truncate=off',
]

/** The engine's numbers of errors. A network file system reports a full disk when it writes for real. */
const errnoIo = 29
const errnoNoSpace = 51

export type DurableFsHooks = {
  onSync: (path: string) => void
  /** Called once when the engine aborted, for example because a write to its log failed. */
  onAbort: (reason: unknown) => void
}

/** PGlite's NodeFS with fsync of files and directories, which it lacks. */
export class DurableNodeFS extends NodeFS {
  readonly #hooks: DurableFsHooks

  constructor(folder: string, hooks: DurableFsHooks) {
    super(folder)
    this.#hooks = hooks
  }

  override async init(pg: PGlite, options: Parameters<NodeFS['init']>[1]): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(pg, options)
    let engine: EngineModule
    const preRun = [emscriptenOpts.preRun ?? []].flat()
    const prepare = (module: unknown) => {
      engine = module as EngineModule
      this.#addFsync(engine)
    }
    const onAbort = (reason: unknown) => {
      stopEngine(pg, engine, () => new Error('the embedded database has stopped'))
      this.#hooks.onAbort(reason)
    }
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...preRun, prepare], onAbort } }
  }

  #addFsync(engine: EngineModule): void {
    addFsync(engine, (descriptor, path) => {
      try {
        syncDescriptorOrPath(descriptor, path)
      } catch (error) {
        throw new engine.FS.ErrnoError(isDiskFull(error) ? errnoNoSpace : errnoIo)
      }
      this.#hooks.onSync(path)
    })
  }
}

function syncDescriptorOrPath(descriptor: number | undefined, path: string): void {
  if (descriptor !== undefined) fsyncSync(descriptor)
  else syncPath(path)
}

export function syncPath(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
