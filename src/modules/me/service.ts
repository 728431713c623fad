import { withTransaction } from '../../database/client/transaction.ts'
import type { AffiliateLink } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { notFound, refused } from '../../kernel/errors.ts'
import { placeIn } from '../../kernel/input/entries.ts'
import { parseInput, problem } from '../../kernel/input/parse.ts'
import { findAffiliate } from '../affiliates/find.ts'
import { archiveAffiliateLink } from '../affiliates/links/archive.ts'
import { findAffiliateLink, insertLinks, linkUrl } from '../affiliates/links/service.ts'
import { updateAffiliate } from '../affiliates/service.ts'
import { type Choices, saveMailChoices } from '../mails/choices.ts'
import { fieldProblems } from '../payout-methods/all.ts'
import { createMyLinkInput, updateMeInput } from './input.ts'
import { changedPayoutFields, holdAfter, type Mailing, mailPayoutChange } from './payout-address.ts'

export type MeCtx = ProgramCtx & { affiliateId: string }

/** More would be no links that a person tells apart. */
const mostLinks = 100

/**
 * What affiliates change of themselves: all of it or nothing. A changed payout address holds payouts, and is announced
 * by mail.
 * @throws INVALID_INPUT
 */
export async function updateMe(ctx: MeCtx & Mailing, raw: unknown): Promise<void> {
  const { affiliateId, program } = ctx
  const {
    commissionMails,
    getsPayoutMails,
    getsStatementMails,
    getsTermsMails,
    getsRewardMails,
    getsMessageMails,
    ...details
  } = await parseInput(updateMeInput, raw, (input) => fieldProblems(input))
  await updateAffiliate(ctx, affiliateId, details, {
    columns: (before, given, now) =>
      changedPayoutFields(before, given).length === 0 ? {} : { payoutsHeldUntil: holdAfter(ctx, before, now) },
    async afterwards(tx, before, after, now) {
      if (changedPayoutFields(before, after).length > 0) await mailPayoutChange(tx, ctx, before, after, now)
      const chosen: { [Choice in keyof Choices]: Choices[Choice] | undefined } = {
        commissions: commissionMails,
        getsPayoutMails,
        getsStatementMails,
        getsTermsMails,
        getsRewardMails,
        getsMessageMails,
      }
      const given = Object.fromEntries(Object.entries(chosen).filter(([, choice]) => choice !== undefined))
      if (Object.keys(given).length > 0) await saveMailChoices(tx, { programId: program.id, affiliateId }, given, now)
    },
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
      : [problem('url', `must be a page of ${new URL(campaign.url).host}`, 'other_site', new URL(campaign.url).host)],
  )
  if (affiliate.state !== 'active')
    throw refused(`Your account is ${affiliate.state}: it cannot get links.`, ['affiliate_not_active'])
  const link = await withTransaction(ctx.db, async (tx) => {
    // Links are counted and created under the lock, so that requests at the same time cannot pass the limit together.
    await tx.$queryRaw`select 1 from affiliates where program_id = ${programId}::uuid and id = ${affiliate.id}::uuid for no key update`
    if ((await tx.affiliateLink.count({ where: { programId, affiliateId: affiliate.id } })) >= mostLinks)
      throw refused(`An affiliate can have at most ${mostLinks} links.`, ['too_many_links'])
    const [created] = await insertLinks(tx, ctx, [{ affiliate, token: input.token }], ctx.now(), placeIn())
    return created as AffiliateLink
  })
  const url = new URL(linkUrl(input.url ?? campaign.url, link.token))
  if (input.sub !== undefined) url.searchParams.set('sub', input.sub)
  return { linkId: link.id, url: url.href }
}

/** Archives a link of the affiliate. Idempotent. @throws NOT_FOUND, also for a link of another affiliate */
export async function archiveMyLink(ctx: MeCtx, id: string): Promise<void> {
  const link = await findAffiliateLink(ctx, id)
  if (link.affiliateId !== ctx.affiliateId) throw notFound('Affiliate link', id)
  await archiveAffiliateLink(ctx, link.id, true)
}
