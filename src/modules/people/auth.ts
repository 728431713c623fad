import { hkdfSync } from 'node:crypto'
import { type BetterAuthOptions, betterAuth } from 'better-auth'
import { prismaAdapter } from 'better-auth/adapters/prisma'
import { APIError, createAuthMiddleware, getSessionFromCtx } from 'better-auth/api'
import { genericOAuth, twoFactor } from 'better-auth/plugins'
import type { AppDb } from '../../kernel/db.ts'
import { mintId } from '../../kernel/ids.ts'
import { personAddress } from './address.ts'
import { addressHeader, authPath, type OidcSettings, oidcProviderId } from './auth-endpoints.ts'
import { longestPassword, passwordProblem, shortestPassword } from './password.ts'

export type AuthOptions = {
  db: AppDb
  /** The key of the installation, from which those of cookies and second factors are derived. */
  key: Buffer
  /** The base URL of the service for clients. With https, cookies are sent over https only. */
  publicUrl: string
  oidc?: OidcSettings | undefined
  passwords?: PasswordHashing | undefined
}

/** How passwords are hashed. By default with the scrypt of the sign-in library. */
export type PasswordHashing = {
  hash(password: string): Promise<string>
  verify(stored: { hash: string; password: string }): Promise<boolean>
}

const day = 24 * 60 * 60

/**
 * People, sessions and second factors by better-auth, on prisma/schema.prisma: passwords are hashed with scrypt, and
 * each sign-in makes a new session. Set-up links and invitations create people.
 */
export const createAuth = ({ db, key, publicUrl, oidc, passwords }: AuthOptions) =>
  betterAuth({
    appName: 'Tributary',
    baseURL: publicUrl,
    basePath: authPath,
    secret: Buffer.from(hkdfSync('sha256', key, '', 'dashboard sessions', 32)).toString('base64url'),
    database: prismaAdapter(db, { provider: 'postgresql', transaction: true }),
    // The server checks the origin of every request before it comes here.
    trustedOrigins: [new URL(publicUrl).origin],
    onAPIError: { errorURL: `${publicUrl}/dashboard/sign-in` },
    telemetry: { enabled: false },
    logger: { disabled: true },
    // src/modules/people/attempts.ts limits attempts, on all instances together.
    rateLimit: { enabled: false },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: shortestPassword,
      maxPasswordLength: longestPassword,
      ...(passwords && { password: passwords }),
    },
    user: {
      modelName: 'person',
      additionalFields: { isOperator: { type: 'boolean', required: false, defaultValue: false, input: false } },
      validateUserInfo: checkProviderAccount(db),
    },
    session: {
      modelName: 'personSession',
      fields: { userId: 'personId' },
      expiresIn: 14 * day,
      updateAge: day,
      // A session that was ended is refused by the next request.
      cookieCache: { enabled: false },
    },
    account: {
      modelName: 'personAccount',
      fields: { userId: 'personId' },
      // Accounts are made by invitation only. Which accounts of the provider are linked: see checkProviderAccount.
      accountLinking: {
        enabled: true,
        trustedProviders: [oidcProviderId],
        requireLocalEmailVerified: false,
        allowDifferentEmails: true,
      },
    },
    verification: { modelName: 'personVerification' },
    advanced: {
      cookiePrefix: 'tributary',
      useSecureCookies: publicUrl.startsWith('https:'),
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax' },
      ipAddress: { ipAddressHeaders: [addressHeader] },
      database: { generateId: () => mintId(new Date()) },
    },
    hooks: { before: checkChanges },
    plugins: [secondFactor(), ...(oidc ? [oidcSignIn(oidc)] : [])],
  })

export type Auth = ReturnType<typeof createAuth>

/** Codes of an authenticator app: also asked for after the provider of OpenID Connect. */
function secondFactor() {
  const plugin = twoFactor({
    issuer: 'Tributary',
    schema: {
      user: { fields: { twoFactorEnabled: 'hasSecondFactor' } },
      twoFactor: { modelName: 'secondFactor', fields: { userId: 'personId', backupCodes: 'recoveryCodes' } },
    },
  })
  const after = plugin.hooks.after.map(({ matcher, handler }) => ({
    handler,
    matcher: (context: Parameters<typeof matcher>[0]) => matcher(context) || context.path === '/callback/:id',
  }))
  return { ...plugin, hooks: { ...plugin.hooks, after } }
}

type CheckUser = NonNullable<NonNullable<BetterAuthOptions['user']>['validateUserInfo']>

/**
 * Whether a person signs in with the provider's account. It must say that the address is verified. The first account
 * with a person's address is linked, and from then on its `sub` signs them in. Another one is linked only by the
 * signed-in person.
 */
const checkProviderAccount =
  (db: AppDb): CheckUser =>
  async ({ user, source }, ctx) => {
    if (source.method !== 'oauth') return
    if (user.emailVerified !== true) return { error: 'email_not_verified' }
    if (source.action !== 'link-account') return
    const personId = String(user.id)
    const linked = await db.personAccount.findFirst({ where: { personId, providerId: oidcProviderId } })
    if (!linked) return
    const session = ctx && (await getSessionFromCtx(ctx))
    if (session?.user.id !== personId) return { error: 'account_not_linked' }
  }

/** In characters, as in an invitation. */
const longestName = 255

/** A new password is checked like the first one, and ends all other sessions. People can change only their name. */
const checkChanges = createAuthMiddleware(async (ctx) => {
  if (ctx.path === '/update-user') {
    const name = String(ctx.body?.name ?? '').trim()
    if (name === '' || name.length > longestName)
      throw new APIError('BAD_REQUEST', {
        code: 'NAME_REJECTED',
        message: `A name has 1 to ${longestName} characters.`,
      })
    return { context: { ...ctx, body: { name } } }
  }
  if (ctx.path !== '/change-password') return
  const problem = passwordProblem(String(ctx.body?.newPassword ?? ''))
  if (problem) throw new APIError('BAD_REQUEST', { code: 'PASSWORD_REJECTED', message: `The new password ${problem}` })
  return { context: { ...ctx, body: { ...ctx.body, revokeOtherSessions: true } } }
})

/** Signs in people who exist, found by the linked account, at first by the e-mail address. It makes no new ones. */
const oidcSignIn = ({ issuer, clientId, clientSecret }: OidcSettings) =>
  genericOAuth({
    config: [
      {
        providerId: oidcProviderId,
        discoveryUrl: `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
        clientId,
        clientSecret,
        scopes: ['openid', 'email', 'profile'],
        pkce: true,
        disableSignUp: true,
        disableImplicitSignUp: true,
        mapProfileToUser: ({ email }) => (email ? { email: personAddress(String(email)) } : {}),
      },
    ],
  })
