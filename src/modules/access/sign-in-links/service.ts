import { randomUUID } from 'node:crypto'
import { withTransaction } from '../../../database/client/transaction.ts'
import type { Affiliate } from '../../../generated/prisma/client.ts'
import type { Ctx, ProgramCtx } from '../../../kernel/context.ts'
import type { AppDb } from '../../../kernel/db.ts'
import { unauthenticated } from '../../../kernel/errors.ts'
import { isId } from '../../../kernel/ids.ts'
import { portalUrlOfSite, ticketUrl } from '../../../kernel/public-url.ts'
import {
  findAffiliateByToken,
  type IssuedToken,
  issueToken,
  readAffiliate,
  recordAccess,
  viewerOf,
} from '../affiliate-tokens/service.ts'
import { type SigningCtx, secretOf } from '../affiliate-tokens/signing-secret.ts'
import { invalidToken, signToken, type TokenKind, timesOf } from '../affiliate-tokens/token.ts'
import { createSsoLinkInput } from './input.ts'
import { keepSession, sessionSeconds } from './kept-sessions.ts'

type Browser = { address: string | null; userAgent: string | null }

export type SsoLink = { url: string; expiresAt: Date; affiliate: Affiliate }

/** Long enough for a redirect by a slow server, too short to be useful if it leaks from a browser history or a log. */
const linkSeconds = 60
/** A view of the portal by a person of the program or the operator. */
const viewSeconds = 3600
/**
 * Longer than a session and the clock skew between instances: none may accept a used ticket after its use was deleted.
 */
const keepUsesForMs = sessionSeconds * 1000 + 3_600_000

/** The token in a link. It signs in once, and cannot read any data itself. */
const ticket: TokenKind = {
  prefix: 'trib_sso_',
  audience: 'tributary:sso',
  expiredMessage: 'This link has expired. Ask for a new one.',
  invalidMessage: 'This link is not valid.',
}

/**
 * Creates a link that signs an affiliate in once, within a minute. It is not stored. The ticket is in the fragment of
 * the URL, which browsers do not send: logs do not contain it, and mail scanners and previews do not use it up.
 * The link of a client signs the affiliate in. That of a person or the operator shows what the affiliate sees.
 * @param ctx with the true time
 * @param publicUrl the URL of the service, without a trailing slash
 * @throws INVALID_INPUT; REFUSED unless the affiliate is active
 */
export async function createSsoLink(ctx: ProgramCtx & SigningCtx, publicUrl: string, raw: unknown): Promise<SsoLink> {
  const { affiliate } = await readAffiliate(ctx, createSsoLinkInput, raw)
  await recordAccess(ctx, affiliate, 'sign_in_link_created')
  const viewer = viewerOf(ctx.actor)
  const claims = { programId: ctx.program.id, affiliateId: affiliate.id, id: randomUUID(), viewer }
  const times = timesOf(ctx.now(), linkSeconds)
  const signed = await signToken(ticket, claims, await secretOf(ctx, ctx.program.id), times)
  const url = ticketUrl(portalUrlOfSite(publicUrl, ctx.program), signed)
  return { url, expiresAt: times.expiresAt, affiliate }
}

/** A mail takes longer to arrive and to be read than a redirect. */
const mailedLinkSeconds = 900

/** The ticket of a link that is mailed to an affiliate. @param ctx with the true time */
export async function mailedTicket(ctx: SigningCtx, { programId, id }: Affiliate): Promise<string> {
  const claims = { programId, affiliateId: id, id: randomUUID() }
  return signToken(ticket, claims, await secretOf(ctx, programId), timesOf(ctx.now(), mailedLinkSeconds))
}

/** `kept` is the secret by which the browser resumes the session; null for a view, which is that of one tab. */
export type OpenedSession = IssuedToken & { programId: string; kept: string | null }

/**
 * Exchanges a ticket for an affiliate token. Of several requests, on any instances, exactly one succeeds.
 * @param ctx with the true time; `ownSlug` is the only program whose tickets are accepted
 * @param browser where the session begins: the affiliate sees it in the list of sessions
 * @throws UNAUTHENTICATED, with a message that is shown to the affiliate
 */
export async function redeemTicket(
  ctx: SigningCtx & Pick<Ctx, 'log'> & { ownSlug?: string | undefined },
  raw: string,
  { address, userAgent }: Browser,
): Promise<OpenedSession> {
  const { affiliate, program, claims } = await findAffiliateByToken(ctx, raw, ticket)
  if (ctx.ownSlug !== undefined && program.slug !== ctx.ownSlug) throw invalidToken(ticket)
  const { id: ticketId, programId, expiresAt, viewer } = claims
  if (ticketId === undefined || !isId(ticketId)) throw invalidToken(ticket)
  // The affiliate was suspected after the link was made.
  if (affiliate.state !== 'active') throw unauthenticated(`The affiliate is ${affiliate.state} and cannot sign in.`)
  const now = ctx.now()
  await withTransaction(
    ctx.db,
    async (tx) => {
      const used = await tx.ssoRedemption.createMany({
        data: [
          {
            programId,
            ticketId,
            expiresAt,
            // A viewer is not signed in as the affiliate, who does not see a session of somebody else.
            ...(!viewer && {
              affiliateId: affiliate.id,
              address,
              userAgent,
              startedAt: now,
              sessionEndsAt: new Date(now.getTime() + sessionSeconds * 1000),
            }),
          },
        ],
        skipDuplicates: true,
      })
      if (used.count === 0) throw unauthenticated('This link has already been used: it works only once.')
      if (viewer) return
      await tx.affiliate.update({
        where: { programId_id: { programId, id: affiliate.id } },
        data: { signInCount: { increment: 1 } },
        select: { id: true },
      })
    },
    ctx,
  )
  await deleteOldUses(ctx.db, programId, now)
  if (viewer) return { ...(await issueToken(ctx, affiliate, { seconds: viewSeconds, viewer })), programId, kept: null }
  const token = await issueToken(ctx, affiliate, { seconds: sessionSeconds, sessionId: ticketId })
  return { ...token, programId, kept: await keepSession(ctx, affiliate, ticketId) }
}

/** A use only has to be kept while its ticket could still be accepted. */
const deleteOldUses = (db: AppDb, programId: string, now: Date) =>
  db.ssoRedemption.deleteMany({
    where: { programId, expiresAt: { lt: new Date(now.getTime() - keepUsesForMs) } },
  })
