/**
 * Whether a page of this service sent the request. Browsers name the origin of a page in every request that can change
 * something, and a page cannot choose it. The service's own origin is the one the browser sent the request to (`Host`),
 * or the configured one, for a proxy that replaces `Host`.
 */
export function isSameOrigin({ headers }: Pick<Request, 'headers'>, publicUrl: string): boolean {
  const origin = headers.get('origin') ?? ''
  if (!URL.canParse(origin)) return false
  const { host } = new URL(origin)
  return host === headers.get('host') || origin === new URL(publicUrl).origin
}

/** Whether the body is JSON, which a form of another site cannot send. */
export const isJson = ({ headers }: Pick<Request, 'headers'>): boolean =>
  /^application\/(json|graphql\+json)\b/i.test(headers.get('content-type') ?? '')
