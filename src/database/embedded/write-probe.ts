import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** More than the pages by which a sale can make tables, indexes and the log longer. */
const probeBytes = 1024 * 1024

/** Writes a small file beside the database to the disk, and removes it. @throws if it cannot be written */
export async function writeProbe(dataDir: string): Promise<void> {
  const path = join(dataDir, '.write-probe')
  try {
    const file = await open(path, 'w', 0o600)
    try {
      await file.writeFile(Buffer.alloc(probeBytes))
      await file.datasync()
    } finally {
      await file.close()
    }
  } finally {
    await rm(path, { force: true, recursive: true })
  }
}
