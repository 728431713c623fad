import type { Campaign, Referral } from '../../generated/prisma/client.ts'
import { addDays } from '../../kernel/calendar.ts'
import { emailKey } from '../../kernel/email.ts'
import { mintId } from '../../kernel/ids.ts'
import { type Batch, leaveOutUnresolved, type Missing, note, readKnown, tell, updateRows } from './batch.ts'
import { keptSentence } from './campaigns.ts'
import { countReferrals } from './counters.ts'
import { takeCustomers } from './customers.ts'
import type { RecordOf } from './input.ts'
import { madeAndChanged } from './moments.ts'
import { changedSince, storedFields } from './stored.ts'

type Fields = Pick<Referral, 'customerId' | 'billingCustomerId' | 'becameLeadAt' | 'becameConversionAt' | 'expiresAt'>

/** Referrals with their customers, counted. Whose a referral is and where it came from never changes. */
export async function takeReferrals(batch: Batch, records: RecordOf<'referral'>[]): Promise<void> {
  const { tx, ctx, now } = batch
  const programId = ctx.program.id
  const known = await readKnown(
    batch,
    'referral',
    records.map(({ externalId }) => externalId),
  )
  const named = await readNamed(batch, records)
  const rows = await tx.referral.findMany({
    where: { programId, id: { in: [...known.values()].map(({ id }) => id) } },
  })
  const byId = new Map(rows.map((row) => [row.id, row]))
  const customers = await takeCustomers(
    batch,
    records.flatMap(({ customerEmail: email, customerName = null, becameLeadAt, createdAt }) =>
      email === undefined ? [] : { email, name: customerName, at: becameLeadAt ?? createdAt ?? now },
    ),
  )
  const created: Referral[] = []
  const updated: { before: Referral; after: Referral }[] = []
  for (const record of records) {
    const { externalId } = record
    const found = named(record)
    if ('missing' in found) {
      leaveOutUnresolved(batch, 'referral', externalId, found.missing, {})
      continue
    }
    const { affiliateId, campaign, linkId, couponId } = found
    const key = record.customerEmail && emailKey(record.customerEmail)
    const customerId = (key && customers.get(key)) || null
    const before = known.get(externalId)
    const row = before && byId.get(before.id)
    const { fields, ...times } = fieldsOf(record, campaign, customerId, row?.createdAt ?? now)
    const seen = storedFields({ affiliateId, ...fields })
    if (!before || !row) {
      const id = mintId(times.createdAt)
      const origin = { programId, id, affiliateId, campaignId: campaign.id, linkId, couponId }
      created.push({ ...origin, ...fields, isCounted: true, ...times } as Referral)
      tell(batch, 'referral', externalId, 'created', { id, seen })
      continue
    }
    const { changes, kept } = changedSince(row, before.seen, fields)
    // What has happened stays so: a lead is no visitor again.
    for (const field of ['customerId', 'becameLeadAt', 'becameConversionAt'] as const)
      if (changes[field] === null) delete changes[field]
    const isChanged = Object.keys(changes).length > 0
    if (isChanged) updated.push({ before: row, after: { ...row, ...changes, updatedAt: record.updatedAt ?? now } })
    tell(batch, 'referral', externalId, isChanged ? 'updated' : 'unchanged', { id: row.id, seen })
    if (kept.length > 0) note(batch, 'referral', externalId, keptSentence(kept))
  }
  await tx.referral.createMany({ data: created })
  await updateRows(
    batch,
    'referrals',
    ['customerId', 'billingCustomerId', 'becameLeadAt', 'becameConversionAt', 'expiresAt', 'updatedAt'],
    updated.map(({ after }) => after),
  )
  await countReferrals(batch, [...created.map((after) => ({ before: null, after })), ...updated])
}

type Named = { affiliateId: string; campaign: Campaign; linkId: string | null; couponId: string | null }

/** Looks up what the records name, all at once. */
async function readNamed(
  batch: Batch,
  records: RecordOf<'referral'>[],
): Promise<(record: RecordOf<'referral'>) => Named | { missing: Missing[] }> {
  const { tx, ctx } = batch
  const programId = ctx.program.id
  const known = (
    kind: 'affiliate' | 'campaign' | 'affiliate_link' | 'affiliate_coupon',
    field: keyof (typeof records)[0],
  ) =>
    readKnown(
      batch,
      kind,
      records.map((record) => record[field] as string | undefined),
    )
  const affiliates = await known('affiliate', 'affiliateId')
  const campaigns = await known('campaign', 'campaignId')
  const links = await known('affiliate_link', 'linkId')
  const coupons = await known('affiliate_coupon', 'couponId')
  const idsOf = (map: Map<string, { id: string }>) => ({ programId, id: { in: [...map.values()].map(({ id }) => id) } })
  const affiliateRows = await tx.affiliate.findMany({
    where: idsOf(affiliates),
    select: { id: true, campaign: true },
  })
  const campaignRows = await tx.campaign.findMany({ where: idsOf(campaigns) })
  const linkRows = await tx.affiliateLink.findMany({ where: idsOf(links), select: { id: true, affiliateId: true } })
  const couponRows = await tx.affiliateCoupon.findMany({
    where: idsOf(coupons),
    select: { id: true, affiliateId: true },
  })
  const own = new Map(affiliateRows.map(({ id, campaign }) => [id, campaign]))
  const byId = new Map(campaignRows.map((row) => [row.id, row]))
  const owners = new Map([...linkRows, ...couponRows].map(({ id, affiliateId }) => [id, affiliateId]))

  return (record) => {
    const affiliateId = affiliates.get(record.affiliateId)?.id
    const campaignId = record.campaignId && campaigns.get(record.campaignId)?.id
    const missing: Missing[] = []
    if (!affiliateId) missing.push({ field: 'affiliateId', kind: 'affiliate', externalId: record.affiliateId })
    if (record.campaignId && !campaignId)
      missing.push({ field: 'campaignId', kind: 'campaign', externalId: record.campaignId })
    const campaign = campaignId ? byId.get(campaignId) : affiliateId && own.get(affiliateId)
    if (missing.length > 0 || !affiliateId || !campaign) return { missing }
    const through = (word: string, map: typeof links, externalId: string | undefined) => {
      const id = externalId === undefined ? undefined : map.get(externalId)?.id
      if (id !== undefined && owners.get(id) === affiliateId) return id
      if (externalId !== undefined) {
        const why = id === undefined ? 'was not imported' : "is another affiliate's"
        note(batch, 'referral', record.externalId, `Its ${word} ${externalId} ${why}: taken over without it.`)
      }
      return null
    }
    return {
      affiliateId,
      campaign,
      linkId: through('link', links, record.linkId),
      couponId: through('coupon', coupons, record.couponId),
    }
  }
}

/** What a poor source does not say follows from what it does. */
function fieldsOf(
  record: RecordOf<'referral'>,
  campaign: Campaign,
  customerId: string | null,
  otherwise: Date,
): { fields: Fields; createdAt: Date; updatedAt: Date } {
  const { conversionState = '', becameLeadAt, becameConversionAt, expiresAt } = record
  const began = expiresAt && addDays(expiresAt, -campaign.daysBeforeReferralsExpire)
  const times = madeAndChanged(record, began ?? becameLeadAt ?? becameConversionAt ?? otherwise)
  const isConversion = conversionState === 'conversion' || becameConversionAt !== undefined
  const isLead = isConversion || conversionState === 'lead' || becameLeadAt !== undefined
  const convertedAt = isConversion ? (becameConversionAt ?? becameLeadAt ?? times.updatedAt) : null
  const fields = {
    customerId,
    billingCustomerId: record.billingCustomerId ?? null,
    becameLeadAt: isLead ? (becameLeadAt ?? convertedAt ?? times.updatedAt) : null,
    becameConversionAt: convertedAt,
    expiresAt: expiresAt ?? addDays(times.createdAt, campaign.daysBeforeReferralsExpire),
  }
  return { fields, ...times }
}
