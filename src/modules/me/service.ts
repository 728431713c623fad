import { withTransaction } from '../../database/client/transaction.ts'
import type { MailChoices } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { refused } from '../../kernel/errors.ts'
import { parseInput, problem } from '../../kernel/input/parse.ts'
import { findAffiliate } from '../affiliates/find.ts'
import { createAffiliateLink, linkUrl } from '../affiliates/links/service.ts'
import { updateAffiliate } from '../affiliates/service.ts'
import { createMyLinkInput, updateMeInput } from './input.ts'

export type MeCtx = ProgramCtx & { affiliateId: string }

/** More would be no links that a person tells apart. */
const mostLinks = 100

export async function readMailChoices(
  { db, program }: Pick<ProgramCtx, 'db' | 'program'>,
  affiliateId: string,
): Promise<Pick<MailChoices, 'commissions' | 'payouts'>> {
  const where = { programId_affiliateId: { programId: program.id, affiliateId } }
  return (await db.mailChoices.findUnique({ where })) ?? { commissions: 'daily', payouts: true }
}

/** What affiliates change of themselves. @throws INVALID_INPUT */
export async function updateMe(ctx: MeCtx, raw: unknown): Promise<void> {
  const { affiliateId, program } = ctx
  const { commissionMails, payoutMails, ...names } = await parseInput(updateMeInput, raw)
  await updateAffiliate(ctx, affiliateId, names)
  if (commissionMails === undefined && payoutMails === undefined) return
  const now = ctx.now()
  const before = await readMailChoices(ctx, affiliateId)
  const choices = { commissions: commissionMails ?? before.commissions, payouts: payoutMails ?? before.payouts }
  await withTransaction(ctx.db, async (tx) => {
    const key = { programId: program.id, affiliateId }
    const row = { ...choices, updatedAt: now }
    await tx.mailChoices.upsert({
      where: { programId_affiliateId: key },
      create: { programId: program.id, affiliateId, ...row },
      update: row,
    })
  })
}

export type MyLink = { linkId: string; url: string }

/**
 * Creates a link of the affiliate, and the address of a page with it.
 * @throws INVALID_INPUT, also for a page of another site; REFUSED with too many links
 */
export async function createMyLink(ctx: MeCtx, raw: unknown): Promise<MyLink> {
  const programId = ctx.program.id
  const affiliate = await findAffiliate(ctx, ctx.affiliateId)
  const where = { programId_id: { programId, id: affiliate.campaignId } }
  const campaign = await ctx.db.campaign.findUniqueOrThrow({ where, select: { url: true } })
  const input = await parseInput(createMyLinkInput, raw, ({ url }) =>
    url === undefined || new URL(url).host === new URL(campaign.url).host
      ? []
      : [problem('url', `must be a page of ${new URL(campaign.url).host}`)],
  )
  if (affiliate.state !== 'active') throw refused(`Your account is ${affiliate.state}: it cannot get links.`)
  const ofMe = { programId, affiliateId: affiliate.id }
  if ((await ctx.db.affiliateLink.count({ where: ofMe })) >= mostLinks)
    throw refused(`An affiliate can have at most ${mostLinks} links.`)
  const link = await createAffiliateLink(ctx, { affiliateId: affiliate.id, token: input.token })
  const url = new URL(linkUrl(input.url ?? campaign.url, link.token))
  if (input.sub !== undefined) url.searchParams.set('sub', input.sub)
  return { linkId: link.id, url: url.href }
}
