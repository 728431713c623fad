import { type Batch, byId, findImported, idsOf, updateRows } from '../batch.ts'
import type { RecordOf } from '../input.ts'
import { countReferrals } from './counters.ts'
import { upsertCustomers } from './customers.ts'
import { type ExistingReferrals, planReferrals } from './plan.ts'

type ReferralRecord = RecordOf<'referral'>

/** Imports referrals with their customers, and counts them. The affiliate and the origin of a referral never change. */
export async function importReferrals(batch: Batch, records: ReferralRecord[]): Promise<void> {
  const { created, updated } = planReferrals(batch, await readExisting(batch, records), records)
  await batch.tx.referral.createMany({ data: created })
  await updateRows(
    batch,
    'referrals',
    ['customerId', 'billingCustomerId', 'becameLeadAt', 'becameConversionAt', 'expiresAt', 'updatedAt'],
    updated.map(({ after }) => after),
  )
  await countReferrals(batch, [...created.map((after) => ({ before: null, after })), ...updated])
}

async function readExisting(batch: Batch, records: ReferralRecord[]): Promise<ExistingReferrals> {
  const { tx, ctx, now } = batch
  const programId = ctx.program.id
  const among = (imported: ReadonlyMap<string, { id: string }>) => ({ programId, id: { in: idsOf(imported) } })
  const find = (kind: Parameters<typeof findImported>[1], of: (record: ReferralRecord) => string | undefined) =>
    findImported(batch, kind, records.map(of))
  const imported = await find('referral', ({ externalId }) => externalId)
  const affiliates = await find('affiliate', ({ affiliateId }) => affiliateId)
  const campaigns = await find('campaign', ({ campaignId }) => campaignId)
  const links = await find('affiliate_link', ({ linkId }) => linkId)
  const coupons = await find('affiliate_coupon', ({ couponId }) => couponId)
  const owner = { id: true, affiliateId: true } as const
  const affiliateRows = await tx.affiliate.findMany({
    where: among(affiliates),
    select: { id: true, campaign: true },
  })
  const campaignRows = await tx.campaign.findMany({ where: among(campaigns) })
  const linkRows = await tx.affiliateLink.findMany({ where: among(links), select: owner })
  const couponRows = await tx.affiliateCoupon.findMany({ where: among(coupons), select: owner })
  const rows = await tx.referral.findMany({ where: among(imported) })
  const people = records.flatMap(({ customerEmail: email, customerName = null, becameLeadAt, createdAt }) =>
    email === undefined ? [] : { email, name: customerName, at: becameLeadAt ?? createdAt ?? now },
  )
  return {
    imported,
    referrals: byId(rows),
    affiliates,
    affiliateCampaigns: new Map(affiliateRows.map(({ id, campaign }) => [id, campaign])),
    campaignIds: campaigns,
    campaigns: byId(campaignRows),
    links,
    coupons,
    owners: new Map([...linkRows, ...couponRows].map(({ id, affiliateId }) => [id, affiliateId])),
    customers: await upsertCustomers(batch, people),
  }
}
