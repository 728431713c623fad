import { statfsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { resolve } from 'node:path'

/** The engine needs at least one segment of its log. */
const leastFreeBytes = 1024 * 1024

/** Whether an error, or what the engine wrote before it stopped, says that the disk or a quota is full. */
export const isDiskFull = (...causes: unknown[]): boolean =>
  causes.some((cause) => {
    const { code = '', message = '' } =
      typeof cause === 'string' ? { message: cause } : ((cause ?? {}) as NodeJS.ErrnoException)
    return /^(ENOSPC|EDQUOT)$/.test(code) || /ENOSPC|EDQUOT|No space left|quota exceeded/i.test(message)
  })

/** The free space of the disk that holds a folder, in bytes. */
export async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/** Whether the disk that holds the folder has no space. The engine does not always name the cause of its failure. */
export function hasNoSpace(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize < leastFreeBytes
  } catch {
    return false
  }
}

export const diskFullMessage = (folder: string): string =>
  `The disk that holds ${resolve(folder)} is full. Free some space and start again; what was stored is not damaged.`
