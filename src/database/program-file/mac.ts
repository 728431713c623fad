import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { Trailer } from './format.ts'

/** The authentication code of a file and its last line. @param key the installation's, not `--key-file`'s */
export function macOf(key: Buffer, { mac: _, ...end }: Trailer['end']): string {
  const own = Buffer.from(hkdfSync('sha256', key, '', 'program files', 32))
  return createHmac('sha256', own).update(JSON.stringify(end)).digest('hex')
}

export function isWrittenWith(key: Buffer, end: Trailer['end']): boolean {
  const [ours, theirs] = [Buffer.from(macOf(key, end)), Buffer.from(end.mac ?? '')]
  return ours.length === theirs.length && timingSafeEqual(ours, theirs)
}
