import dns from 'node:dns'
import http from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

export type TargetSettings = {
  /** Host names, addresses and networks in a private network that may be sent to, also over http. */
  allowedHosts: readonly string[]
  /** Whether http is allowed to other hosts too. */
  allowHttp: boolean
}

/** Where webhooks may be sent to. */
export type Targets = {
  /** What is wrong with a URL, as the end of a sentence that starts with the URL; null if it may be sent to. */
  problemOf(url: string): Promise<string | null>
  /** How to connect to a URL. Addresses are checked at each connection, after the name was resolved. @throws */
  connectionTo(url: URL): { agent: http.Agent; lookup?: LookupFunction }
}

const lookupTimeoutMs = 3_000
const agentOptions = { keepAlive: true, maxFreeSockets: 64, timeout: 60_000 }

const notPublic =
  'must not lead to a private, local or reserved address. The operator can allow the host with WEBHOOK_ALLOWED_HOSTS.'

/** The only IPv6 addresses that are assigned for public use; the library knows the reserved ones among them. */
const publicIPv6 = ipaddr.parseCIDR('2000::/3')

export function createTargets({ allowedHosts, allowHttp }: TargetSettings): Targets {
  const networks = allowedHosts.filter(isNetwork).map(parseNetwork)
  const names = new Set(allowedHosts.filter((host) => !isNetwork(host)).map((host) => host.toLowerCase()))
  const agents = { 'http:': new http.Agent(agentOptions), 'https:': new https.Agent(agentOptions) }

  const isListed = (address: string) => {
    const parsed = ipaddr.parse(address)
    return networks.some(([base, bits]) => base.kind() === parsed.kind() && parsed.match(base, bits))
  }
  const isAllowed = (address: string) => isPublic(address) || isListed(address)
  const rejection = (address: string) => new Error(`${address} is a private, local or reserved address`)

  const checkedLookup: LookupFunction = (host, options, done) => {
    dns.lookup(host, { ...options, all: true }, (error, found) => {
      const refused = error ? undefined : found.find(({ address }) => !isAllowed(address))
      const [first] = found ?? []
      if (error || refused || !first) return done(error ?? rejection(refused?.address ?? host), '')
      return options.all ? done(null, found) : done(null, first.address, first.family)
    })
  }

  return {
    async problemOf(text) {
      const url = new URL(text)
      const host = hostOf(url)
      if (url.username || url.password) return 'must not contain a user name or a password.'
      if (names.has(host)) return null
      const addresses = await addressesOf(host)
      if (addresses.length > 0 && addresses.every(isListed)) return null
      if (!addresses.every(isAllowed)) return notPublic
      return url.protocol === 'http:' && !allowHttp ? 'must start with https://.' : null
    },
    connectionTo(url) {
      const host = hostOf(url)
      const agent = agents[url.protocol as keyof typeof agents]
      if (names.has(host)) return { agent }
      // An address is not resolved.
      if (isIP(host) !== 0 && !isAllowed(host)) throw rejection(host)
      return { agent, lookup: checkedLookup }
    },
  }
}

function isPublic(address: string): boolean {
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast') return false
  return parsed.kind() === 'ipv4' || parsed.match(publicIPv6)
}

/** Whether an entry of the list is an address or a network in CIDR notation. */
const isNetwork = (entry: string): boolean => isIP(entry) !== 0 || ipaddr.isValidCIDR(entry)

function parseNetwork(entry: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  if (entry.includes('/')) return ipaddr.parseCIDR(entry)
  const address = ipaddr.parse(entry)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

/** The host, without the brackets of an IPv6 address and a final dot. `URL` has normalized the rest. */
const hostOf = ({ hostname }: URL): string =>
  hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase()

/** The addresses of a host; empty if its name cannot be resolved yet. Each connection is checked again. */
async function addressesOf(host: string): Promise<string[]> {
  if (isIP(host) !== 0) return [host]
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<[]>((resolve) => {
    timer = setTimeout(() => resolve([]), lookupTimeoutMs)
  })
  const found = dns.promises.lookup(host, { all: true }).then(
    (addresses) => addresses.map(({ address }) => address),
    () => [],
  )
  return Promise.race([found, tooLate]).finally(() => clearTimeout(timer))
}
