import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * The operator's token: the one that was configured, else the one kept in the data directory, made at the first start.
 * The file can be read by its owner alone.
 */
export async function readAdminToken(
  configured: string | undefined,
  dataDir: string,
): Promise<{ token: string; file: string | null }> {
  if (configured) return { token: configured, file: null }
  const file = join(dataDir, 'admin-token')
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const made = `trib_admin_${randomBytes(32).toString('base64url')}`
  // Of several instances that start at once, the first writes and the others read.
  await writeFile(file, `${made}\n`, { mode: 0o600, flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  return { token: (await readFile(file, 'utf8')).trim(), file }
}
