import type { Affiliate, Program } from '../../../generated/prisma/client.ts'
import { TributaryError } from '../../../kernel/errors.ts'
import { findAffiliateByToken, type IssuedToken, issueToken } from '../affiliate-tokens/service.ts'
import { type SigningCtx, secretOf } from '../affiliate-tokens/signing-secret.ts'
import { invalidToken, signToken, type TokenKind, timesOf } from '../affiliate-tokens/token.ts'
import { demandSession, endSession } from './sessions.ts'

/** A session of the portal: a day, in every tab of the browser. */
export const sessionSeconds = 86_400

/** What the browser keeps of a session, in a cookie. It reads no data itself, and works while the session does. */
const keptSession: TokenKind = {
  prefix: 'trib_ps_',
  audience: 'tributary:portal',
  expiredMessage: 'This session has ended. Sign in again.',
  invalidMessage: 'This session is not valid. Sign in again.',
}

/** The secret by which a browser resumes the session. @param ctx with the true time */
export const keepSession = async (ctx: SigningCtx, { programId, id }: Affiliate, sessionId: string): Promise<string> =>
  signToken(
    keptSession,
    { programId, affiliateId: id, id: sessionId },
    await secretOf(ctx, programId),
    timesOf(ctx.now(), sessionSeconds),
  )

/** The session of a secret. That of another program is not valid. @throws UNAUTHENTICATED */
async function readKept(ctx: SigningCtx, program: Program, secret: string) {
  const found = await findAffiliateByToken(ctx, secret, keptSession)
  const { programId, id, expiresAt } = found.claims
  if (programId !== program.id || id === undefined) throw invalidToken(keptSession)
  await demandSession(ctx.db, { programId, id }, ctx.now())
  return { affiliate: found.affiliate, sessionId: id, expiresAt }
}

/**
 * A new affiliate token of a session that goes on, until the session ends.
 * @param ctx with the true time
 * @throws UNAUTHENTICATED if it has ended, or the affiliate is disabled
 */
export async function resumeSession(ctx: SigningCtx, program: Program, secret: string): Promise<IssuedToken> {
  const { affiliate, sessionId, expiresAt } = await readKept(ctx, program, secret)
  const seconds = Math.floor((expiresAt.getTime() - ctx.now().getTime()) / 1000)
  return issueToken(ctx, affiliate, { seconds, sessionId })
}

/** Ends the session of a secret. Does nothing if the secret is not valid. @param ctx with the true time */
export async function endKeptSession(ctx: SigningCtx, program: Program, secret: string): Promise<void> {
  try {
    const { affiliate, sessionId } = await readKept(ctx, program, secret)
    await endSession(ctx, { program, affiliateId: affiliate.id, sessionId })
  } catch (error) {
    if (!(error instanceof TributaryError && error.code === 'UNAUTHENTICATED')) throw error
  }
}
