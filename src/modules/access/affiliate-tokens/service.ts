import { randomBytes } from 'node:crypto'
import type { z } from 'zod'
import type { Affiliate, Program } from '../../../generated/prisma/client.ts'
import type { Ctx, ProgramCtx } from '../../../kernel/context.ts'
import { refused, unauthenticated } from '../../../kernel/errors.ts'
import { parseInput } from '../../../kernel/input/parse.ts'
import { referredAffiliates, unknownAffiliate } from '../../affiliates/find.ts'
import { findProgram } from '../../programs/service.ts'
import { createAffiliateTokenInput, defaultSeconds } from './input.ts'
import { affiliateToken, invalidToken, readUnverified, signToken, timesOf, verifyToken } from './token.ts'

/** Its clock is the true one: a token is a thing of the world outside, also in a sandbox. */
type SigningCtx = Pick<Ctx, 'db' | 'now'>

export type IssuedToken = { token: string; expiresAt: Date; affiliate: Affiliate }

/**
 * A token with which one affiliate reads their own data, for some minutes. It is kept nowhere.
 *
 * @param ctx its clock is the true one: a token is a thing of the world outside, also in a sandbox
 * @throws INVALID_INPUT; REFUSED for an affiliate who is disabled
 */
export async function createAffiliateToken(ctx: ProgramCtx, raw: unknown): Promise<IssuedToken> {
  const { affiliate, input } = await readAffiliate(ctx, createAffiliateTokenInput, raw)
  return issueToken(ctx, affiliate, input.expiresInSeconds ?? defaultSeconds)
}

/** A token of an affiliate who is known to have one. */
export async function issueToken(ctx: SigningCtx, affiliate: Affiliate, seconds: number): Promise<IssuedToken> {
  const claims = { programId: affiliate.programId, affiliateId: affiliate.id }
  const times = timesOf(ctx.now(), seconds)
  const token = await signToken(affiliateToken, claims, await secretOf(ctx, affiliate.programId), times)
  return { token, expiresAt: times.expiresAt, affiliate }
}

/**
 * Reads an input that names an affiliate who is to get a token of any kind.
 *
 * @throws INVALID_INPUT; REFUSED for an affiliate who is disabled
 */
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
  if (affiliate.state === 'disabled') throw refused('The affiliate is disabled: their tokens are not taken.')
  return { affiliate, input }
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
export const isAffiliateToken = (secret: string): boolean => secret.startsWith(affiliateToken.prefix)

/**
 * The affiliate whose token it is, and the program. An affiliate who is disabled has none that are taken.
 *
 * @param ctx its clock is the true one
 * @throws UNAUTHENTICATED
 */
export async function findAffiliateByToken(
  ctx: SigningCtx,
  token: string,
  kind = affiliateToken,
): Promise<{ affiliate: Affiliate; program: Program; claims: ReturnType<typeof readUnverified> }> {
  const claims = readUnverified(kind, token)
  const found = await ctx.db.affiliate.findUnique({
    where: { programId_id: { programId: claims.programId, id: claims.affiliateId } },
    include: { program: { include: { affiliateTokenSecret: { select: { secret: true } } } } },
  })
  if (!found?.program.affiliateTokenSecret) throw invalidToken(kind)
  const {
    program: { affiliateTokenSecret, ...program },
    ...affiliate
  } = found
  await verifyToken(kind, token, affiliateTokenSecret.secret, ctx.now())
  if (affiliate.state === 'disabled') throw unauthenticated('The affiliate is disabled.')
  return { affiliate, program, claims }
}

const mintSecret = () => randomBytes(32).toString('base64url')

/** The program's secret, made where there is none. Of instances that make one at once, the first one's is everybody's. */
export async function secretOf({ db, now }: SigningCtx, programId: string): Promise<string> {
  const kept = await db.affiliateTokenSecret.findUnique({ where: { programId } })
  if (kept) return kept.secret
  await db.affiliateTokenSecret.createMany({
    data: { programId, secret: mintSecret(), createdAt: now() },
    skipDuplicates: true,
  })
  return (await db.affiliateTokenSecret.findUniqueOrThrow({ where: { programId } })).secret
}
