import type { Incoming } from './incoming.ts'

/**
 * Whether a page of this service sent the request. Browsers name the origin in every request that can change something.
 * The own origin is the configured one, or the request's Host with the same scheme: the service can have several names.
 */
export function isSameOrigin(incoming: Pick<Incoming, 'header'>, publicUrl: string): boolean {
  const origin = incoming.header('origin') ?? ''
  const { origin: own, protocol } = new URL(publicUrl)
  return origin === own || origin === originOf(protocol, incoming.header('host') ?? '')
}

/** As browsers write it: without the default port. Null if it is not a host. */
function originOf(protocol: string, host: string): string | null {
  const url = `${protocol}//${host}`
  return host !== '' && URL.canParse(url) ? new URL(url).origin : null
}

/** Whether the body is JSON, which a form of another site cannot send. */
export const isJson = (incoming: Pick<Incoming, 'header'>): boolean =>
  /^application\/(json|graphql\+json)\b/i.test(incoming.header('content-type') ?? '')
