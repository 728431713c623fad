import { copyFileSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import { DurableNodeFS } from '../../src/database/embedded/durable-fs.ts'

type Node = { mode: number }
type Engine = {
  NODEFS: {
    realPath(node: Node): string
    node_ops: {
      mknod(parent: Node, name: string, mode: number, device: number): Node
      rename(node: Node, parent: Node, name: string): void
      unlink(parent: Node, name: string): void
    }
  }
}

/**
 * Mirrors the database into `disk`, which contains what a power cut would leave. File contents are copied only when
 * they are synced. Files are created, renamed and deleted immediately, as on a journaling file system.
 */
export class PowerCutFS extends DurableNodeFS {
  readonly #toDisk: (path: string) => string

  constructor(live: string, disk: string, onSync = () => {}) {
    const toDisk = (path: string) => join(disk, relative(live, path))
    super(live, {
      onSync: (path) => {
        if (statSync(path).isFile()) copyFileSync(path, toDisk(path))
        onSync()
      },
      onAbort: () => {},
    })
    this.#toDisk = toDisk
  }

  override async init(pg: PGlite, options: Parameters<DurableNodeFS['init']>[1]): ReturnType<DurableNodeFS['init']> {
    const { emscriptenOpts } = await super.init(pg, options)
    const preRun = [...[emscriptenOpts.preRun ?? []].flat(), (module: unknown) => this.#mirrorNames(module as Engine)]
    return { emscriptenOpts: { ...emscriptenOpts, preRun } }
  }

  #mirrorNames({ NODEFS: files }: Engine): void {
    const { mknod, rename, unlink } = files.node_ops
    files.node_ops.mknod = (parent, name, mode, device) => {
      const node = mknod(parent, name, mode, device)
      const path = files.realPath(node)
      if (statSync(path).isDirectory()) mkdirSync(this.#toDisk(path), { recursive: true })
      else writeFileSync(this.#toDisk(path), '')
      return node
    }
    files.node_ops.rename = (node, parent, name) => {
      const [from, to] = [files.realPath(node), join(files.realPath(parent), name)]
      rename(node, parent, name)
      renameSync(this.#toDisk(from), this.#toDisk(to))
    }
    files.node_ops.unlink = (parent, name) => {
      const path = join(files.realPath(parent), name)
      unlink(parent, name)
      rmSync(this.#toDisk(path), { force: true })
    }
  }
}
