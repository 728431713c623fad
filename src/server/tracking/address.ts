import type { IncomingMessage } from 'node:http'

/**
 * The address a request comes from. Each proxy adds the address it was asked from to X-Forwarded-For; of those, only as
 * many as there are proxies of ours can be believed. It is used to tell callers apart while they are answered, and
 * hashed with the day's salt; it is stored nowhere.
 *
 * @param trustedProxies how many proxies stand before the service
 */
export function clientAddress(
  { headers, socket }: { headers: Headers; socket: Pick<IncomingMessage['socket'], 'remoteAddress'> | undefined },
  trustedProxies: number,
): string {
  const forwarded = trustedProxies > 0 ? (headers.get('x-forwarded-for') ?? '') : ''
  const told = forwarded
    .split(',')
    .map((address) => address.trim())
    .filter(Boolean)
  const chain = [...told, socket?.remoteAddress ?? '']
  return (chain[Math.max(0, chain.length - 1 - trustedProxies)] ?? '').replace(/^::ffff:/i, '')
}

/** One household or server has a whole /64 of IPv6 addresses: they count as one caller. */
export function callerOf(address: string): string {
  if (!address.includes(':')) return address
  const [head = '', tail] = address.toLowerCase().split('::')
  const first = head.split(':').filter(Boolean)
  const last = tail === undefined ? [] : tail.split(':').filter(Boolean)
  const groups = [...first, ...Array(Math.max(0, 8 - first.length - last.length)).fill('0'), ...last]
  return `${groups.slice(0, 4).join(':')}::/64`
}
