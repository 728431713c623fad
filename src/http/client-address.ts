import type { Incoming } from './incoming.ts'

/**
 * The client's IP address, from the entries of X-Forwarded-For that trusted proxies have appended. Used for rate
 * limits, and hashed with a daily salt. Never stored.
 * @param trustedProxies how many proxies are in front of the service
 */
export function clientAddress(incoming: Pick<Incoming, 'header' | 'remoteAddress'>, trustedProxies: number): string {
  const forwardedFor = trustedProxies > 0 ? (incoming.header('x-forwarded-for') ?? '') : ''
  const forwarded = forwardedFor
    .split(',')
    .map((address) => address.trim())
    .filter(Boolean)
  const chain = [...forwarded, incoming.remoteAddress]
  return (chain[Math.max(0, chain.length - 1 - trustedProxies)] ?? '').replace(/^::ffff:/i, '')
}

/** The caller that rate limits count. A household or server has a whole /64 of IPv6 addresses, which count as one. */
export function callerOf(address: string): string {
  if (!address.includes(':')) return address
  const [head = '', tail] = address.toLowerCase().split('::')
  const first = head.split(':').filter(Boolean)
  const last = tail === undefined ? [] : tail.split(':').filter(Boolean)
  const groups = [...first, ...Array(Math.max(0, 8 - first.length - last.length)).fill('0'), ...last]
  return `${groups.slice(0, 4).join(':')}::/64`
}
