import { createHash } from 'node:crypto'
import type { ConnectedApp, Person, Program } from '../../../generated/prisma/client.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { unauthenticated } from '../../../kernel/errors.ts'
import { mintId } from '../../../kernel/ids.ts'
import { recordOfPerson } from '../account-changes.ts'
import { hashLinkToken as hash, mintLinkToken as mint } from '../link-token.ts'
import { findRole } from '../members.ts'
import { OAuthError } from './oauth-error.ts'
import { placeOfRedirect } from './redirects.ts'
import type { AuthorizationRequest } from './request.ts'

export type AppsCtx = Pick<Ctx, 'db' | 'requestId'> & { now: Date }

const minuteMs = 60_000
const codeMs = minuteMs
const accessMs = 60 * minuteMs
/** Renewed with each use. */
const refreshMs = 60 * 24 * 60 * minuteMs

const accessPrefix = 'trib_app_'
const refreshPrefix = 'trib_ref_'

/** Whether it has the form of a token of a connected application. */
export const isAppToken = (secret: string): boolean => secret.startsWith(accessPrefix)

/** A person lets a client act as them in a program. Returns the code, which the client exchanges once, in a minute. */
export async function connectApp(
  { db, now, requestId }: AppsCtx,
  person: Person,
  program: Pick<Program, 'id'>,
  { client, redirectUri, codeChallenge, resource }: AuthorizationRequest,
  canPropose: boolean,
): Promise<string> {
  const code = mint()
  const data = {
    programId: program.id,
    id: mintId(now),
    personId: person.id,
    clientId: client.id,
    name: client.name,
    host: placeOfRedirect(redirectUri).host,
    canPropose,
    resource,
    redirectUri,
    codeChallenge,
    codeHash: hash(code),
    endsAt: new Date(now.getTime() + codeMs),
    createdAt: now,
  }
  const inProgram = db.ofProgram(program.id)
  await inProgram.connectedApp.deleteMany({ where: { programId: program.id, endsAt: { lte: now } } })
  await inProgram.connectedApp.create({ data })
  await recordOfPerson({ db, now, requestId }, person, 'app_connected')
  return code
}

export type AppTokens = { accessToken: string; refreshToken: string; expiresInSeconds: number; canPropose: boolean }

type Exchange = { code: string; codeVerifier: string; redirectUri: string; clientId: string }

/** Exchanges the code for tokens, once. A code that is used again ends the connection. @throws OAuthError */
export async function exchangeCode(ctx: AppsCtx, { code, codeVerifier, redirectUri, clientId }: Exchange) {
  const app = await ctx.db.connectedApp.findFirst({ where: { codeHash: hash(code) } })
  if (app && app.accessHash !== null) await removeApp(ctx, app)
  const isOwn = app !== null && app.accessHash === null && app.clientId === clientId && app.redirectUri === redirectUri
  if (!isOwn || app.endsAt <= ctx.now) throw invalidGrant('The code is unknown, used or older than a minute.')
  const challenge = createHash('sha256').update(codeVerifier).digest('base64url')
  if (challenge !== app.codeChallenge) throw invalidGrant('The code_verifier does not fit the code_challenge.')
  return issueTokens(ctx, app, { accessHash: null })
}

/** Exchanges a refresh token for new tokens. One that was used before ends the connection. @throws OAuthError */
export async function renewTokens(ctx: AppsCtx, refreshToken: string, clientId: string): Promise<AppTokens> {
  const refreshHash = hash(refreshToken)
  const app = await ctx.db.connectedApp.findFirst({
    where: { OR: [{ refreshHash }, { previousRefreshHash: refreshHash }] },
  })
  if (!app || app.clientId !== clientId || app.endsAt <= ctx.now)
    throw invalidGrant('The refresh token is unknown or has ended.')
  if (app.refreshHash !== refreshHash) {
    await removeApp(ctx, app)
    throw invalidGrant('The refresh token was used before, so the connection has ended. Connect again.')
  }
  return issueTokens(ctx, app, { refreshHash })
}

async function issueTokens(
  ctx: AppsCtx,
  app: ConnectedApp,
  before: Partial<Pick<ConnectedApp, 'accessHash' | 'refreshHash'>>,
): Promise<AppTokens> {
  const { db, now } = ctx
  const [accessToken, refreshToken] = [`${accessPrefix}${mint()}`, `${refreshPrefix}${mint()}`]
  // Of two requests at a time, one finds the row as it was.
  const { count } = await db.ofProgram(app.programId).connectedApp.updateMany({
    where: { programId: app.programId, id: app.id, ...before },
    data: {
      accessHash: hash(accessToken),
      accessEndsAt: new Date(now.getTime() + accessMs),
      refreshHash: hash(refreshToken),
      previousRefreshHash: app.refreshHash,
      endsAt: new Date(now.getTime() + refreshMs),
      lastUsedAt: now,
    },
  })
  if (count === 0) throw invalidGrant('Another request has used it at the same time.')
  return { accessToken, refreshToken, expiresInSeconds: accessMs / 1000, canPropose: app.canPropose }
}

const invalidGrant = (message: string) => new OAuthError('invalid_grant', message)

/** Ends the connection that a token is of (RFC 7009). An unknown token is no error. */
export async function revokeToken(ctx: AppsCtx, token: string): Promise<void> {
  const hashed = hash(token)
  const app = await ctx.db.connectedApp.findFirst({ where: { OR: [{ accessHash: hashed }, { refreshHash: hashed }] } })
  if (app) await removeApp(ctx, app)
}

/** Ends a connection: its tokens are refused from the next request on. */
export async function removeApp({ db, now, requestId }: AppsCtx, app: ConnectedApp): Promise<void> {
  const where = { programId: app.programId, id: app.id }
  const { count } = await db.ofProgram(app.programId).connectedApp.deleteMany({ where })
  if (count === 0) return
  const person = await db.person.findUnique({ where: { id: app.personId } })
  if (person) await recordOfPerson({ db, now, requestId }, person, 'app_ended')
}

export type AppCaller = { app: ConnectedApp; person: Person; program: Program; role: ConnectedAppRole }
type ConnectedAppRole = NonNullable<Awaited<ReturnType<typeof findRole>>>

/**
 * The person as whom an application acts, and the program that they chose for it.
 * @throws UNAUTHENTICATED if the token is unknown, has ended or is of another resource, or the person has no role there
 */
export async function findAppCaller(
  { db, now }: Pick<AppsCtx, 'db' | 'now'>,
  token: string,
  resource: string,
): Promise<AppCaller> {
  const found = await db.connectedApp.findFirst({
    where: { accessHash: hash(token) },
    include: { person: true, program: true },
  })
  if (!found) throw unauthenticated('The token is unknown: the connection has ended, or the token was renewed.')
  const { person, program, ...app } = found
  if (app.resource !== resource) throw unauthenticated('The token is for another resource.')
  if (app.accessEndsAt === null || app.accessEndsAt <= now) throw unauthenticated('The token has expired. Renew it.')
  const role = await findRole({ db }, person, program.id)
  if (!role) throw unauthenticated('You have no role in this program any more.')
  return { app, person, program, role }
}
