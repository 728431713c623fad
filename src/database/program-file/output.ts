import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Trailer } from './format.ts'
import { macOf } from './mac.ts'

export type Output = {
  write: (text: string) => Promise<void>
  end: (trailer: Omit<Trailer['end'], 'sha256' | 'mac'>) => void
}

/**
 * Writes a compressed file that only its owner can read. It gets its name when it is complete.
 * @param key the key of this installation, by which it recognises its own files
 * @returns the size of the file
 */
export async function writeLines(name: string, key: Buffer, run: (output: Output) => Promise<void>): Promise<number> {
  const partial = `${name}.partial`
  const lines = new PassThrough()
  const file = createWriteStream(partial, { mode: 0o600 })
  const written = pipeline(lines, createGzip({ level: 4 }), file)
  const failed = new Promise<never>((_, reject) => written.catch(reject))
  failed.catch(() => {})
  const hash = createHash('sha256')
  const output: Output = {
    async write(text) {
      hash.update(text)
      if (!lines.write(text)) await Promise.race([failed, new Promise((resolve) => lines.once('drain', resolve))])
    },
    end(trailer) {
      const end = { ...trailer, sha256: hash.digest('hex') }
      lines.end(`${JSON.stringify({ end: { ...end, mac: macOf(key, end) } })}\n`)
    },
  }
  try {
    await run(output)
    await written
    await rename(partial, name)
    return file.bytesWritten
  } catch (error) {
    lines.destroy()
    await written.catch(() => {})
    await rm(partial, { force: true })
    throw error
  }
}
