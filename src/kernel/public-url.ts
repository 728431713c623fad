/** The URL of the service for clients, or that of the pages for affiliates of a program, without a trailing slash. */
export type PublicUrl = (program?: { slug: string }) => string

/** The hosts that have the pages for affiliates of a program each: the slug of the program by the host. */
export type PortalHosts = ReadonlyMap<string, string>

/**
 * A host in one form, as a URL has it: lower case, ASCII, without the dot at the end of a full name, without the ports
 * of http and https.
 */
export function normalHost(host: string): string {
  const url = `http://${host.trim()}`
  const { hostname, port } = URL.canParse(url) ? new URL(url) : { hostname: host.toLowerCase(), port: '' }
  const name = hostname.replace(/\.+$/, '')
  return port === '' || port === '443' ? name : `${name}:${port}`
}

/** The slug of the program whose host it is. A host without a port is meant with any port. */
export function programOfHost(hosts: PortalHosts, host: string | null): string | undefined {
  if (hosts.size === 0) return undefined
  const normal = normalHost(host ?? '')
  return hosts.get(normal) ?? hosts.get(normal.replace(/:\d+$/, ''))
}

/** The pages of a program are on its own host if it has one, with the scheme of the service. */
export function withPortalHosts(publicUrl: () => string, hosts: PortalHosts): PublicUrl {
  const hostOf = new Map([...hosts].map(([host, slug]) => [slug, host]))
  return (program) => {
    const url = publicUrl()
    const host = program && hostOf.get(program.slug)
    return host === undefined ? url : `${new URL(url).protocol}//${host}`
  }
}

/** The parts of the portal that mails are about: the ids of their headings. */
const portalSections = [
  'terms',
  'new-terms',
  'performance',
  'links',
  'commissions',
  'payouts',
  'payout-address',
  'statements',
] as const
export type PortalSection = (typeof portalSections)[number]

/** Undefined for what is no section. */
export const portalSection = (name: unknown): PortalSection | undefined =>
  portalSections.find((section) => section === name)

/** The portal of a program, where an affiliate without a session asks for a sign-in link. */
export const portalUrl = (publicUrl: string, { slug }: { slug: string }, section?: PortalSection): string =>
  `${publicUrl}/portal?program=${slug}${section === undefined ? '' : `#${section}`}`

/** A link that signs in to the portal. The fragment is not sent: logs do not have the ticket. */
export const ticketUrl = (portal: string, ticket: string, section?: PortalSection): string =>
  `${portal}#ticket=${ticket}${section === undefined ? '' : `&to=${section}`}`

/** The same as `portalUrl` for links that the company's own site makes: who needs a new one goes back to that site. */
export const portalUrlOfSite = (publicUrl: string, program: { slug: string }): string =>
  `${portalUrl(publicUrl, program)}&from=site`
