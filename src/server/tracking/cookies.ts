import type { Answer } from '../../http/answer.ts'
import type { Incoming } from '../../http/incoming.ts'

/**
 * Safari keeps cookies that a script sets for 7 days, and those of responses until they expire. It works only where a
 * proxy puts the endpoint on the page's own origin, so requests of other origins, and foreign forms, set nothing.
 * @param domain the cookies' domain as the script found it; empty for the host alone
 */
export function setTrackingCookies(
  answer: Answer,
  incoming: Incoming,
  domain: unknown,
  values: { referralId: string; token: string; expiresAt: Date },
): Answer {
  const origin = incoming.header('origin')
  const site = incoming.header('sec-fetch-site')
  if (typeof domain !== 'string' || !origin || !URL.canParse(origin) || (site !== null && site !== 'same-origin'))
    return answer
  const { protocol, hostname } = new URL(origin)
  const isOwn = domain === '' || (/^[a-z0-9.-]+$/i.test(domain) && `.${hostname}`.endsWith(`.${domain.toLowerCase()}`))
  if (!isOwn) return answer
  const attributes = [
    'Path=/',
    'SameSite=Lax',
    `Expires=${values.expiresAt.toUTCString()}`,
    ...(domain ? [`Domain=${domain}`] : []),
    ...(protocol === 'https:' ? ['Secure'] : []),
  ].join('; ')
  answer.headers['Set-Cookie'] = [
    `tributary_referral=${values.referralId}; ${attributes}`,
    `tributary_via=${encodeURIComponent(values.token)}; ${attributes}`,
  ]
  return answer
}
