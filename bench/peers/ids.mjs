import { randomBytes } from 'node:crypto'

/** A UUIDv7. @param {Date} at */
export function mintId(at) {
  const hex = at.getTime().toString(16).padStart(12, '0') + randomBytes(10).toString('hex')
  const variant = 'a'
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
