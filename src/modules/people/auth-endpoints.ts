export const authPath = '/dashboard/auth'

/** The provider of OpenID Connect has one id, because there is one. */
export const oidcProviderId = 'oidc'

export type OidcSettings = { issuer: string; clientId: string; clientSecret: string; name: string }

/** Carries the client's address, which the server knows from the connection and its trusted proxies. */
export const addressHeader = 'x-tributary-client-address'

type Endpoint = { method: 'GET' | 'POST'; fields: readonly string[] }

const read = (...fields: string[]): Endpoint => ({ method: 'GET', fields })
const write = (...fields: string[]): Endpoint => ({ method: 'POST', fields })

/**
 * The endpoints of better-auth, and the fields, that the pages use. All others do not exist, such as devices that need
 * no second factor. Unnamed query parameters are dropped: providers add their own.
 */
export const authEndpoints: ReadonlyMap<string, Endpoint> = new Map([
  ['/sign-in/email', write('email', 'password')],
  ['/sign-in/social', write('provider', 'callbackURL')],
  ['/link-social', write('provider', 'callbackURL', 'errorCallbackURL')],
  [`/callback/${oidcProviderId}`, read('code', 'state', 'iss', 'error', 'error_description')],
  ['/sign-out', write()],
  ['/get-session', read()],
  ['/list-sessions', read()],
  ['/revoke-session', write('token')],
  ['/revoke-other-sessions', write()],
  ['/change-password', write('currentPassword', 'newPassword')],
  ['/update-user', write('name')],
  ['/two-factor/enable', write('password')],
  ['/two-factor/disable', write('password')],
  ['/two-factor/verify-totp', write('code')],
  ['/two-factor/verify-backup-code', write('code')],
])

/** Where a browser goes on that comes from the provider, if the person has a second factor. */
export const codePage = '/dashboard/sign-in?code=needed'

/** Whether people sign in at the endpoint, unless they have a second factor. */
export const beginsSession = (endpoint: string): boolean =>
  endpoint === '/sign-in/email' || endpoint === `/callback/${oidcProviderId}`
