import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolders } from '../../kernel/make-folders.ts'

/** The configured operator token, else a generated one in the data directory, which only its owner can read. */
export async function readAdminToken(
  configured: string | undefined,
  dataDir: string,
): Promise<{ token: string; file: string | null }> {
  if (configured) return { token: configured, file: null }
  const file = join(dataDir, 'admin-token')
  makeFolders(dataDir)
  const newToken = `trib_admin_${randomBytes(32).toString('base64url')}`
  // If several instances start at once, the first one writes the file and the others read it.
  await writeFile(file, `${newToken}\n`, { mode: 0o600, flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  return { token: (await readFile(file, 'utf8')).trim(), file }
}
