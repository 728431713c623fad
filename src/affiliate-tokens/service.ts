import { randomBytes } from 'node:crypto'
import { referredAffiliates, unknownAffiliate } from '../affiliates/find.ts'
import type { Ctx, ProgramCtx } from '../context.ts'
import { refused, unauthenticated } from '../errors.ts'
import type { Affiliate, Program } from '../generated/prisma/client.ts'
import { parseInput } from '../input/parse.ts'
import { findProgram } from '../programs/service.ts'
import { createAffiliateTokenInput, defaultSeconds } from './input.ts'
import { invalidToken, readUnverified, signToken, tokenPrefix, verifyToken } from './token.ts'

export type IssuedToken = { token: string; expiresAt: Date; affiliate: Affiliate }

/**
 * A token with which one affiliate reads their own data, for some minutes. It is kept nowhere.
 *
 * @param ctx its clock is the true one: a token is a thing of the world outside, also in a sandbox
 * @throws INVALID_INPUT; REFUSED for an affiliate who is disabled
 */
export async function createAffiliateToken(ctx: ProgramCtx, raw: unknown): Promise<IssuedToken> {
  let known = new Map<string, Affiliate>()
  const { affiliateId, expiresInSeconds = defaultSeconds } = await parseInput(
    createAffiliateTokenInput,
    raw,
    async ({ affiliateId: id }) => {
      known = await referredAffiliates(ctx, [id])
      return id === undefined || known.has(id) ? [] : [unknownAffiliate]
    },
  )
  const affiliate = known.get(affiliateId) as Affiliate
  if (affiliate.state === 'disabled') throw refused('The affiliate is disabled: their tokens are not taken.')
  // A JWT counts whole seconds; rounded down, none is taken longer than was asked for.
  const issuedAt = new Date(Math.floor(ctx.now().getTime() / 1000) * 1000)
  const expiresAt = new Date(issuedAt.getTime() + expiresInSeconds * 1000)
  const claims = { programId: ctx.program.id, affiliateId: affiliate.id }
  const token = await signToken(claims, await secretOf(ctx), { issuedAt, expiresAt })
  return { token, expiresAt, affiliate }
}

/** Ends all tokens of all affiliates of the program, at once and on every instance. @throws NOT_FOUND */
export async function revokeAffiliateTokens(ctx: Ctx, programId: string): Promise<Program> {
  const program = await findProgram(ctx, programId)
  const fresh = { secret: mintSecret(), createdAt: ctx.now() }
  await ctx.db.affiliateTokenSecret.upsert({
    where: { programId: program.id },
    create: { programId: program.id, ...fresh },
    update: fresh,
  })
  return program
}

/** Whether a secret is meant as an affiliate's token at all. */
export const isAffiliateToken = (secret: string): boolean => secret.startsWith(tokenPrefix)

/**
 * The affiliate whose token it is, and the program. An affiliate who is disabled has none that are taken.
 *
 * @param ctx its clock is the true one
 * @throws UNAUTHENTICATED
 */
export async function findAffiliateByToken(
  ctx: Pick<Ctx, 'db' | 'now'>,
  token: string,
): Promise<{ affiliateId: string; program: Program }> {
  const { programId, affiliateId } = readUnverified(token)
  const found = await ctx.db.affiliate.findUnique({
    where: { programId_id: { programId, id: affiliateId } },
    select: { state: true, program: { include: { affiliateTokenSecret: { select: { secret: true } } } } },
  })
  const { affiliateTokenSecret, ...program } = found?.program ?? {}
  if (!found || !affiliateTokenSecret) throw invalidToken()
  await verifyToken(token, affiliateTokenSecret.secret, ctx.now())
  if (found.state === 'disabled') throw unauthenticated('The affiliate is disabled.')
  return { affiliateId, program: program as Program }
}

const mintSecret = () => randomBytes(32).toString('base64url')

/** The program's secret, made where there is none. Of instances that make one at once, the first one's is everybody's. */
async function secretOf({ db, program: { id: programId }, now }: ProgramCtx): Promise<string> {
  const kept = await db.affiliateTokenSecret.findUnique({ where: { programId } })
  if (kept) return kept.secret
  await db.affiliateTokenSecret.createMany({
    data: { programId, secret: mintSecret(), createdAt: now() },
    skipDuplicates: true,
  })
  return (await db.affiliateTokenSecret.findUniqueOrThrow({ where: { programId } })).secret
}
