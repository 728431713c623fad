/**
 * Safari keeps cookies that a script sets for 7 days, and those of responses until they expire. It works only where a
 * proxy puts the endpoint on the page's own origin, so requests of other origins, and foreign forms, set nothing.
 * @param domain the cookies' domain as the script found it; empty for the host alone
 */
export function setTrackingCookies(
  response: Response,
  request: Request,
  domain: unknown,
  values: { referralId: string; token: string; expiresAt: Date },
): Response {
  const origin = request.headers.get('origin')
  const site = request.headers.get('sec-fetch-site')
  if (typeof domain !== 'string' || !origin || !URL.canParse(origin) || (site !== null && site !== 'same-origin'))
    return response
  const { protocol, hostname } = new URL(origin)
  const isOwn = domain === '' || (/^[a-z0-9.-]+$/i.test(domain) && `.${hostname}`.endsWith(`.${domain.toLowerCase()}`))
  if (!isOwn) return response
  const attributes = [
    'Path=/',
    'SameSite=Lax',
    `Expires=${values.expiresAt.toUTCString()}`,
    ...(domain ? [`Domain=${domain}`] : []),
    ...(protocol === 'https:' ? ['Secure'] : []),
  ].join('; ')
  response.headers.append('Set-Cookie', `tributary_referral=${values.referralId}; ${attributes}`)
  response.headers.append('Set-Cookie', `tributary_via=${encodeURIComponent(values.token)}; ${attributes}`)
  return response
}
