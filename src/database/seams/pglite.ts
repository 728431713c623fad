import type { PGlite } from '@electric-sql/pglite'
import { requireDetails } from '../../kernel/library-details.ts'

const file = 'src/database/seams/pglite.ts'

type FileStream = { nfd?: number; node: unknown }

type NodeFileSystem = {
  stream_ops: { fsync?: (stream: FileStream) => number }
  realPath: (node: unknown) => string
}

/** The engine of PGlite, which Emscripten has compiled. */
export type EngineModule = {
  NODEFS?: NodeFileSystem
  FS: { filesystems?: { NODEFS?: NodeFileSystem }; ErrnoError: new (errno: number) => Error }
  _pq_buffer_remaining_data: () => number
}

/** Runs something while nothing else has the connection. Other statements wait. */
export const runAlone = <T>(pglite: PGlite, run: () => Promise<T>): Promise<T> => pglite._runExclusiveTransaction(run)

/**
 * Makes the engine force files to disk.
 * @throws if an upgrade of PGlite has removed a detail, also one that `stopEngine` needs
 * @param sync forces a file to disk. It throws a number of the engine's system calls.
 */
export function addFsync(engine: EngineModule, sync: (descriptor: number | undefined, path: string) => void): void {
  // Patch versions of PGlite moved this object.
  const files = engine.NODEFS ?? engine.FS.filesystems?.NODEFS
  requireDetails('@electric-sql/pglite', file, {
    'NODEFS.stream_ops': typeof files?.stream_ops === 'object',
    'NODEFS.realPath()': typeof files?.realPath === 'function',
    'FS.ErrnoError': typeof engine.FS.ErrnoError === 'function',
    '_pq_buffer_remaining_data()': typeof engine._pq_buffer_remaining_data === 'function',
  })
  const found = files as NodeFileSystem
  found.stream_ops.fsync = ({ nfd, node }) => {
    sync(nfd, found.realPath(node))
    return 0
  }
}

/** PGlite catches the errors of an aborted engine and retries: without this, the next query would loop forever. */
export function stopEngine(pglite: PGlite, engine: EngineModule, error: () => Error): void {
  engine._pq_buffer_remaining_data = () => 0
  pglite.execProtocolRawSync = () => {
    throw error()
  }
}

/** @throws if an upgrade of PGlite has removed a detail */
export function checkPglite(pglite: PGlite): void {
  requireDetails('@electric-sql/pglite', file, {
    'pglite._runExclusiveTransaction()': typeof pglite._runExclusiveTransaction === 'function',
    'pglite.execProtocolRawSync()': typeof pglite.execProtocolRawSync === 'function',
    'pglite.execProtocolStream()': typeof pglite.execProtocolStream === 'function',
  })
}
