/**
 * Whether a page of this service sent the request. Browsers name the origin in every request that can change something.
 * The own origin is the configured one, or the request's Host with the same scheme: the service can have several names.
 */
export function isSameOrigin({ headers }: Pick<Request, 'headers'>, publicUrl: string): boolean {
  const origin = headers.get('origin') ?? ''
  const { origin: own, protocol } = new URL(publicUrl)
  return origin === own || origin === originOf(protocol, headers.get('host') ?? '')
}

/** As browsers write it: without the default port. Null if it is not a host. */
function originOf(protocol: string, host: string): string | null {
  const url = `${protocol}//${host}`
  return host !== '' && URL.canParse(url) ? new URL(url).origin : null
}

/** Whether the body is JSON, which a form of another site cannot send. */
export const isJson = ({ headers }: Pick<Request, 'headers'>): boolean =>
  /^application\/(json|graphql\+json)\b/i.test(headers.get('content-type') ?? '')
