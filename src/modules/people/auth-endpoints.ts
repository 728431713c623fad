/** The path below which the sign-in library answers. */
export const authPath = '/dashboard/auth'

/** The provider of OpenID Connect has one id, because there is one. */
export const oidcProviderId = 'oidc'

/** An OpenID Connect provider at which people sign in. */
export type OidcSettings = { issuer: string; clientId: string; clientSecret: string; name: string }

/** Carries the client's address, which the server knows from the connection and its trusted proxies. */
export const addressHeader = 'x-tributary-client-address'

/** What better-auth serves of its endpoints. Everything else of it does not exist. */
export const authEndpoints: ReadonlySet<string> = new Set([
  '/sign-in/email',
  '/sign-in/social',
  `/callback/${oidcProviderId}`,
  '/sign-out',
  '/get-session',
  '/list-sessions',
  '/revoke-session',
  '/revoke-other-sessions',
  '/change-password',
  '/update-user',
  '/two-factor/enable',
  '/two-factor/disable',
  '/two-factor/verify-totp',
  '/two-factor/verify-backup-code',
  '/two-factor/generate-backup-codes',
])

/** Whether people sign in at the endpoint, unless they have a second factor. */
export const beginsSession = (endpoint: string): boolean =>
  endpoint === '/sign-in/email' || endpoint === `/callback/${oidcProviderId}`
