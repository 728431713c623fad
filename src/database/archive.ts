import { createReadStream, createWriteStream, readFileSync, statSync } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { extract, type Headers, type Pack, pack } from 'tar-stream'

/** Read at once: a stream costs a dozen turns of the event loop, which a busy server grants slowly. */
const smallBytes = 1024 * 1024

/** Writes a folder as a .tar.gz. gzip's checksum at the end tells a whole archive from one that broke off. */
export async function writeArchive(folder: string, out: Writable): Promise<void> {
  const archive = pack()
  const written = pipeline(archive, createGzip({ level: 4 }), out)
  written.catch((error) => archive.destroy(error))
  await addFolder(archive, folder, folder)
  archive.finalize()
  await written
}

async function addFolder(archive: Pack, root: string, folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    const name = relative(root, path).split(sep).join('/')
    if (entry.isDirectory()) {
      await addEntry(archive, { name, type: 'directory', mode: 0o700 })
      await addFolder(archive, root, path)
    } else if (entry.isFile()) {
      const { size } = statSync(path)
      const header = { name, size, mode: 0o600 }
      if (size > smallBytes) await pipeline(createReadStream(path), archive.entry(header))
      else await addEntry(archive, header, readFileSync(path))
    }
  }
}

function addEntry(archive: Pack, header: Headers, content?: Buffer): Promise<void> {
  return new Promise((done, fail) => {
    archive.entry(header, content ?? Buffer.alloc(0), (error) => (error ? fail(error) : done()))
  })
}

/**
 * Reads a .tar.gz to its end; answers the names in it. With `into`, which must be an empty folder, also unpacks it
 * there. Throws when the archive is damaged, broke off or has entries that are no plain files and folders inside it.
 */
export async function readArchive(source: Readable, into?: string): Promise<string[]> {
  const names: string[] = []
  const archive = extract()
  const read = async () => {
    for await (const entry of archive) {
      const { name, type } = entry.header
      names.push(name)
      if (into && type === 'directory') {
        await mkdir(pathInside(into, name), { recursive: true, mode: 0o700 })
        entry.resume()
      } else if (into && type === 'file') {
        const path = pathInside(into, name)
        await mkdir(dirname(path), { recursive: true, mode: 0o700 })
        await pipeline(entry, createWriteStream(path, { mode: 0o600 }))
      } else {
        if (type !== 'file' && type !== 'directory') throw new Error(`it holds a ${type}, ${name}`)
        entry.resume()
      }
    }
  }
  await Promise.all([pipeline(source, createGunzip(), archive), read()])
  return names
}

function pathInside(folder: string, name: string): string {
  const path = resolve(folder, `./${name}`)
  if (!path.startsWith(resolve(folder) + sep)) throw new Error(`it holds a path outside of itself, ${name}`)
  return path
}
