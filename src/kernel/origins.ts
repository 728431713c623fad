import { isIP } from 'node:net'

export function isHttpUrl(value: string): boolean {
  return /^https?:\/\//i.test(value) && URL.canParse(value)
}

/** As browsers send it: without a path and a trailing slash. */
export function isOrigin(value: string): boolean {
  return isHttpUrl(value) && new URL(value).origin === value
}

export const allowsAll = (origins: string[]) => origins.length === 1 && origins[0] === '*'

export function isHostOrNetwork(value: string): boolean {
  const [address = '', bits, ...rest] = value.split('/')
  if (isIP(address) === 0) return bits === undefined && /^[\w.-]+$/.test(value)
  return (
    rest.length === 0 &&
    (bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= (isIP(address) === 4 ? 32 : 128)))
  )
}
