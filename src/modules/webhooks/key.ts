import { createHash, randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolders } from '../../kernel/make-folders.ts'

/** The key that encrypts secrets: the configured one, else a generated one in the data directory. */
export async function readWebhookKey(configured: string | undefined, dataDir: string): Promise<Buffer> {
  if (configured) return keyOf(configured)
  const file = join(dataDir, 'webhook-key')
  makeFolders(dataDir)
  // If several instances start at once, the first one writes the file and the others read it.
  await writeFile(file, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    },
  )
  return keyOf((await readFile(file, 'utf8')).trim())
}

const keyOf = (text: string): Buffer => createHash('sha256').update(text).digest()
