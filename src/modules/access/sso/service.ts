import { randomUUID } from 'node:crypto'
import { withTransaction } from '../../../database/transaction.ts'
import type { Affiliate, PrismaClient } from '../../../generated/prisma/client.ts'
import type { Ctx, ProgramCtx } from '../../../kernel/context.ts'
import { unauthenticated } from '../../../kernel/errors.ts'
import { isId } from '../../../kernel/ids.ts'
import {
  findAffiliateByToken,
  type IssuedToken,
  issueToken,
  readAffiliate,
  secretOf,
} from '../affiliate-tokens/service.ts'
import { invalidToken, signToken, type TokenKind, timesOf } from '../affiliate-tokens/token.ts'
import { createSsoLinkInput } from './input.ts'

export type SsoLink = { url: string; expiresAt: Date; affiliate: Affiliate }

/** Long enough to be redirected by a slow server, too short to be of use in a history or a log. */
const linkSeconds = 60
/** How long the portal shows numbers before its reader has to come back through a link. */
const sessionSeconds = 3600
/** Longer than clocks of instances are apart: none takes a link whose use another has forgotten. */
const rememberForMs = 3_600_000

/** What is in a link: it signs in once, and reads nothing itself. */
const ticket: TokenKind = {
  prefix: 'trib_sso_',
  audience: 'tributary:sso',
  over: 'This link is too old: it works for a minute.',
  wrong: 'This link is not valid.',
}

/**
 * A link that signs an affiliate in to the portal: once, and within a minute. It is kept nowhere. The ticket is in the
 * address's fragment, which browsers send to nobody: it is in no log, and whatever only fetches the address (a mail
 * scanner, a preview) does not use it up.
 *
 * @param ctx its clock is the true one
 * @param publicUrl the address of the service, without a slash at the end
 * @throws INVALID_INPUT; REFUSED for an affiliate who is disabled
 */
export async function createSsoLink(ctx: ProgramCtx, publicUrl: string, raw: unknown): Promise<SsoLink> {
  const { affiliate } = await readAffiliate(ctx, createSsoLinkInput, raw)
  const claims = { programId: ctx.program.id, affiliateId: affiliate.id, id: randomUUID() }
  const times = timesOf(ctx.now(), linkSeconds)
  const signed = await signToken(ticket, claims, await secretOf(ctx, ctx.program.id), times)
  return { url: `${publicUrl}/portal#ticket=${signed}`, expiresAt: times.expiresAt, affiliate }
}

/**
 * Turns the ticket of a link into a token of its affiliate. Of many who bring the same ticket at once, on whatever
 * instances, one gets in.
 *
 * @param ctx its clock is the true one
 * @throws UNAUTHENTICATED, with a sentence for the affiliate
 */
export async function redeemTicket(ctx: Pick<Ctx, 'db' | 'now' | 'log'>, raw: string): Promise<IssuedToken> {
  const { affiliate, claims } = await findAffiliateByToken(ctx, raw, ticket)
  const { id: ticketId, programId, expiresAt } = claims
  if (ticketId === undefined || !isId(ticketId)) throw invalidToken(ticket)
  const now = ctx.now()
  await withTransaction(
    ctx.db,
    async (tx) => {
      const used = await tx.ssoRedemption.createMany({
        data: [{ programId, ticketId, expiresAt }],
        skipDuplicates: true,
      })
      if (used.count === 0) throw unauthenticated('This link was used already: it works once.')
      await tx.affiliate.update({
        where: { programId_id: { programId, id: affiliate.id } },
        data: { signInCount: { increment: 1 } },
        select: { id: true },
      })
    },
    ctx,
  )
  await forgetOld(ctx.db, programId, now)
  return issueToken(ctx, affiliate, sessionSeconds)
}

/** A use has to be remembered only while its link would be taken. */
const forgetOld = (db: PrismaClient, programId: string, now: Date) =>
  db.ssoRedemption.deleteMany({
    where: { programId, expiresAt: { lt: new Date(now.getTime() - rememberForMs) } },
  })
