import { createReadStream, createWriteStream, readFileSync, statSync, writeFileSync } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { extract, type Pack, pack } from 'tar-stream'

/** Files up to this size are read at once: a stream needs a dozen turns of the event loop. */
const smallBytes = 1024 * 1024

/** Writes a folder as a .tar.gz. The gzip checksum at the end reveals a truncated archive. */
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

function addEntry(archive: Pack, header: Parameters<Pack['entry']>[0], content?: Buffer): Promise<void> {
  return new Promise((done, fail) => {
    archive.entry(header, content ?? Buffer.alloc(0), (error) => (error ? fail(error) : done()))
  })
}

/**
 * Reads a .tar.gz to its end and returns the names in it. Extracts it to `into`, which must be an empty folder.
 * @throws if the archive is damaged or truncated, or has an entry that is not a plain file or folder inside it
 */
export async function readArchive(source: Readable, into?: string): Promise<string[]> {
  const names: string[] = []
  const folders = new Set<string>()
  const makeFolder = async (path: string) => {
    if (folders.has(path)) return
    await mkdir(path, { recursive: true, mode: 0o700 })
    folders.add(path)
  }
  const archive = extract()
  const read = async () => {
    for await (const entry of archive) {
      const { name, type } = entry.header
      names.push(name)
      if (into && type === 'directory') {
        await makeFolder(pathInside(into, name))
        entry.resume()
      } else if (into && type === 'file') {
        const path = pathInside(into, name)
        await makeFolder(dirname(path))
        if ((entry.header.size ?? 0) > smallBytes) await pipeline(entry, createWriteStream(path, { mode: 0o600 }))
        else writeFileSync(path, await buffer(entry), { mode: 0o600 })
      } else {
        if (type !== 'file' && type !== 'directory') throw new Error(`it contains a ${type}, ${name}`)
        entry.resume()
      }
    }
  }
  await Promise.all([pipeline(source, createGunzip(), archive), read()])
  return names
}

function pathInside(folder: string, name: string): string {
  const path = resolve(folder, `./${name}`)
  if (!path.startsWith(resolve(folder) + sep)) throw new Error(`it contains a path outside of itself, ${name}`)
  return path
}
