import type { z } from 'zod'
import { withTransaction } from '../../../database/client/transaction.ts'
import type { Affiliate, Program } from '../../../generated/prisma/client.ts'
import type { Actor, Ctx, ProgramCtx, Viewer } from '../../../kernel/context.ts'
import { refused, unauthenticated } from '../../../kernel/errors.ts'
import { parseInput } from '../../../kernel/input/parse.ts'
import { referredAffiliates, unknownAffiliate } from '../../affiliates/find.ts'
import { recordAction } from '../../history/record.ts'
import { findProgram } from '../../programs/service.ts'
import { createAffiliateTokenInput, defaultSeconds, revokeAffiliateTokensInput } from './input.ts'
import { acceptedSecrets, mintStored, type SigningCtx, secretOf } from './signing-secret.ts'
import { affiliateToken, invalidToken, readUnverified, signToken, timesOf, verifyToken } from './token.ts'

const hourMs = 3_600_000

export type IssuedToken = { token: string; expiresAt: Date; affiliate: Affiliate }

/**
 * Creates a short-lived token with which one affiliate reads their own data. It is not stored.
 * @param ctx with the true time, also in a sandbox
 * @throws INVALID_INPUT; REFUSED unless the affiliate is active
 */
export async function createAffiliateToken(ctx: ProgramCtx & SigningCtx, raw: unknown): Promise<IssuedToken> {
  const { affiliate, input } = await readAffiliate(ctx, createAffiliateTokenInput, raw)
  await recordAccess(ctx, affiliate, 'token_created')
  const viewer = viewerOf(ctx.actor)
  return issueToken(ctx, affiliate, { seconds: input.expiresInSeconds ?? defaultSeconds, viewer })
}

/** Records access as an affiliate by a person or an operator. Clients do so for each sign-in: no record. */
export async function recordAccess(
  ctx: ProgramCtx,
  { id: subjectId }: Affiliate,
  action: 'token_created' | 'sign_in_link_created',
): Promise<void> {
  if (ctx.actor.kind === 'api_key') return
  await withTransaction(ctx.db, (tx) =>
    recordAction(tx, ctx, { subject: 'affiliate', subjectId, action }, null, null, ctx.now()),
  )
}

/**
 * A client acts for the affiliate, whom it has signed in itself. People and the operator token only see what the
 * affiliate sees: nothing is done in another person's name.
 */
export const viewerOf = (actor: Actor): Viewer | undefined =>
  actor.kind === 'person' ? actor.id : actor.kind === 'operator' ? 'operator' : undefined

/**
 * Creates a token. The caller has checked that the affiliate may have one.
 * @param sessionId the session that ends the token with it
 */
export async function issueToken(
  ctx: SigningCtx,
  affiliate: Affiliate,
  { seconds, sessionId, viewer }: { seconds: number; sessionId?: string | undefined; viewer?: Viewer | undefined },
): Promise<IssuedToken> {
  const claims = { programId: affiliate.programId, affiliateId: affiliate.id, id: sessionId, viewer }
  const times = timesOf(ctx.now(), seconds)
  const token = await signToken(affiliateToken, claims, await secretOf(ctx, affiliate.programId), times)
  return { token, expiresAt: times.expiresAt, affiliate }
}

/** Parses an input with an `affiliateId`, and finds the affiliate. @throws INVALID_INPUT; REFUSED unless active */
export async function readAffiliate<S extends z.ZodObject>(
  ctx: ProgramCtx,
  schema: S,
  raw: unknown,
): Promise<{ affiliate: Affiliate; input: z.output<S> }> {
  let known = new Map<string, Affiliate>()
  const input = await parseInput(schema, raw, async (readable) => {
    const { affiliateId: id } = readable as { affiliateId?: string }
    known = await referredAffiliates(ctx, [id])
    return id === undefined || known.has(id) ? [] : [unknownAffiliate]
  })
  const affiliate = known.get(input.affiliateId as string) as Affiliate
  if (affiliate.state !== 'active')
    throw refused(`The affiliate is ${affiliate.state} and cannot sign in. Activate the affiliate first.`)
  return { affiliate, input }
}

/** Revokes all affiliate tokens of the program, at once or after some hours. @throws INVALID_INPUT; NOT_FOUND */
export async function revokeAffiliateTokens(
  ctx: Ctx & SigningCtx,
  programId: string,
  raw: unknown = {},
): Promise<Program> {
  const { keepOldForHours = 0 } = await parseInput(revokeAffiliateTokensInput, raw)
  const program = await findProgram(ctx, programId)
  const now = ctx.now()
  const fresh = { secret: mintStored(ctx.webhooks.key, program.id), createdAt: now }
  return withTransaction(ctx.db, async (tx) => {
    // If two rotations are concurrent, the second one keeps the secret of the first.
    const rows = await tx.$queryRaw<{ secret: string }[]>`
      select secret from affiliate_token_secrets where program_id = ${program.id}::uuid for update`
    const previousEndsAt = keepOldForHours > 0 ? new Date(now.getTime() + keepOldForHours * hourMs) : null
    const previousSecret = previousEndsAt && (rows[0]?.secret ?? null)
    await tx.affiliateTokenSecret.upsert({
      where: { programId: program.id },
      create: { programId: program.id, ...fresh },
      update: { ...fresh, previousSecret, previousEndsAt },
    })
    const what = { subject: 'program', subjectId: program.id, action: 'tokens_revoked' } as const
    await recordAction(tx, { ...ctx, program }, what, null, null, now)
    return program
  })
}

export const isAffiliateToken = (secret: string): boolean => secret.startsWith(affiliateToken.prefix)

/** The affiliate and the program of a token. @param ctx with the true time @throws UNAUTHENTICATED */
export async function findAffiliateByToken(
  ctx: SigningCtx,
  token: string,
  kind = affiliateToken,
): Promise<{ affiliate: Affiliate; program: Program; claims: ReturnType<typeof readUnverified> }> {
  const claims = readUnverified(kind, token)
  const found = await ctx.db.affiliate.findUnique({
    where: { programId_id: { programId: claims.programId, id: claims.affiliateId } },
    include: { program: { include: { affiliateTokenSecret: true } } },
  })
  if (!found?.program.affiliateTokenSecret) throw invalidToken(kind)
  const {
    program: { affiliateTokenSecret, ...program },
    ...affiliate
  } = found
  await verifyToken(kind, token, acceptedSecrets(ctx, affiliateTokenSecret), ctx.now())
  // Only the bearer of a valid token gets to know it.
  if (affiliate.state === 'disabled') throw unauthenticated('The affiliate is disabled.', ['affiliate_not_active'])
  return { affiliate, program, claims }
}
