import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { Trailer } from './format.ts'

/**
 * The message authentication code of a file. It covers the last line too, which the checksum does not.
 * @param key the key of the installation that writes the file. A key that is given to the export is not used: who has the
 *   file may have that one as well
 */
export function macOf(key: Buffer, { mac: _, ...end }: Trailer['end']): string {
  const own = Buffer.from(hkdfSync('sha256', key, '', 'program files', 32))
  return createHmac('sha256', own).update(JSON.stringify(end)).digest('hex')
}

/** Whether the installation with this key wrote the file. */
export function isWrittenWith(key: Buffer, end: Trailer['end']): boolean {
  const [ours, theirs] = [Buffer.from(macOf(key, end)), Buffer.from(end.mac ?? '')]
  return ours.length === theirs.length && timingSafeEqual(ours, theirs)
}
