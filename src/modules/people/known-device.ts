import { createHmac, hkdfSync, randomUUID, timingSafeEqual } from 'node:crypto'
import { personAddress } from './address.ts'

const cookieName = 'tributary.device'
const yearSeconds = 365 * 24 * 60 * 60

const codeOf = (key: Buffer, id: string, email: string): string =>
  createHmac('sha256', Buffer.from(hkdfSync('sha256', key, '', 'known devices', 32)))
    .update(`${id} ${personAddress(email)}`)
    .digest('base64url')

/** A cookie for a device on which a person has signed in: others' wrong passwords do not lock it out. */
export function deviceCookie(key: Buffer, email: string, isSecure: boolean): string {
  const id = randomUUID()
  const attributes = `Path=/dashboard; Max-Age=${yearSeconds}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  return `${cookieName}=${id}.${codeOf(key, id, email)}; ${attributes}`
}

/** The id of the device, if the person with this address has signed in on it. */
export function knownDevice(key: Buffer, email: string, headers: Headers): string | null {
  const [, id = '', code = ''] =
    /(?:^|;\s*)tributary\.device=([0-9a-f-]{36})\.([\w-]+)/.exec(headers.get('cookie') ?? '') ?? []
  const [ours, theirs] = [Buffer.from(codeOf(key, id, email)), Buffer.from(code)]
  return ours.length === theirs.length && timingSafeEqual(ours, theirs) ? id : null
}
