import type { Campaign, Referral } from '../../../generated/prisma/client.ts'
import { addDays } from '../../../kernel/dates.ts'
import { emailKey } from '../../../kernel/email.ts'
import { mintId } from '../../../kernel/ids.ts'
import type { RecordOf } from '../input.ts'
import {
  addNote,
  type BatchPlan,
  type ImportedRecord,
  leaveOutUnresolved,
  type MissingReference,
  noteConflicts,
  noWrites,
  type RowWrites,
  recordOutcome,
} from '../plan.ts'
import { mergeChanges, type Snapshot, shownFields, snapshotOf } from '../snapshot.ts'
import { timestampsOf } from '../timestamps.ts'

type ReferralRecord = RecordOf<'referral'>
type Imported = Map<string, ImportedRecord>
type Fields = Pick<Referral, 'customerId' | 'billingCustomerId' | 'becameLeadAt' | 'becameConversionAt' | 'expiresAt'>

/** What a batch of referrals concerns: imported records by their ids at the source, rows by their ids here. */
export type ExistingReferrals = {
  imported: Imported
  referrals: Map<string, Referral>
  affiliates: Imported
  affiliateCampaigns: Map<string, Campaign>
  campaignIds: Imported
  campaigns: Map<string, Campaign>
  links: Imported
  coupons: Imported
  owners: Map<string, string>
  customers: Map<string, string>
}

export function planReferrals(
  plan: BatchPlan,
  existing: ExistingReferrals,
  records: ReferralRecord[],
): RowWrites<Referral> {
  const programId = plan.ctx.program.id
  const writes = noWrites<Referral>()
  for (const record of records) {
    const { externalId } = record
    const references = resolve(plan, existing, record)
    if ('missing' in references) {
      leaveOutUnresolved(plan, 'referral', externalId, references.missing, {})
      continue
    }
    const { affiliateId, campaign, linkId, couponId } = references
    const key = record.customerEmail && emailKey(record.customerEmail)
    const customerId = (key && existing.customers.get(key)) || null
    const imported = existing.imported.get(externalId)
    const row = imported && existing.referrals.get(imported.id)
    const { fields, ...times } = referralFields(record, campaign, customerId, row?.createdAt ?? plan.now)
    const snapshot = snapshotOf({ affiliateId, ...fields })
    if (!imported || !row) {
      const id = mintId(times.createdAt)
      const origin = { programId, id, affiliateId, campaignId: campaign.id, linkId, couponId }
      writes.created.push({
        ...origin,
        ...fields,
        sub: null,
        agentProvider: null,
        endedAt: null,
        isCounted: true,
        ...times,
      })
      recordOutcome(plan, 'referral', externalId, 'created', { id, snapshot })
      continue
    }
    const shown = shownFields(fields, (field) => isShown(record, imported.snapshot, field))
    const { changes, conflicts } = mergeChanges(row, imported.snapshot, shown)
    // A lead never becomes a visitor again.
    for (const field of ['customerId', 'becameLeadAt', 'becameConversionAt'] as const)
      if (changes[field] === null) delete changes[field]
    const isChanged = Object.keys(changes).length > 0
    if (isChanged)
      writes.updated.push({ before: row, after: { ...row, ...changes, updatedAt: record.updatedAt ?? plan.now } })
    recordOutcome(plan, 'referral', externalId, isChanged ? 'updated' : 'unchanged', {
      id: row.id,
      snapshot: { ...imported.snapshot, affiliateId, ...snapshotOf(shown) },
    })
    noteConflicts(plan, 'referral', externalId, conflicts)
  }
  return writes
}

/** A time that the source does not show follows from the state, which shows it once: when the state is new. */
function isShown({ shown }: ReferralRecord, before: Snapshot, field: string): boolean {
  if (field === 'customerId') return shown.has('customerEmail')
  return shown.has(field) || (field !== 'expiresAt' && field !== 'billingCustomerId' && before[field] === null)
}

type References = { affiliateId: string; campaign: Campaign; linkId: string | null; couponId: string | null }

/** The rows that a record references. A link or coupon that cannot be resolved is dropped with a note. */
function resolve(
  plan: BatchPlan,
  existing: ExistingReferrals,
  record: ReferralRecord,
): References | { missing: MissingReference[] } {
  const affiliateId = existing.affiliates.get(record.affiliateId)?.id
  const campaignId = record.campaignId && existing.campaignIds.get(record.campaignId)?.id
  const missing: MissingReference[] = []
  if (!affiliateId) missing.push({ field: 'affiliateId', kind: 'affiliate' })
  if (record.campaignId && !campaignId) missing.push({ field: 'campaignId', kind: 'campaign' })
  const campaign = campaignId
    ? existing.campaigns.get(campaignId)
    : affiliateId && existing.affiliateCampaigns.get(affiliateId)
  if (missing.length > 0 || !affiliateId || !campaign) return { missing }

  const origin = (noun: string, imported: Imported, externalId: string | undefined) => {
    if (externalId === undefined) return null
    const id = imported.get(externalId)?.id
    if (id !== undefined && existing.owners.get(id) === affiliateId) return id
    const reason = id === undefined ? 'was not imported' : 'belongs to another affiliate'
    addNote(plan, 'referral', record.externalId, `Their ${noun} ${reason}. They were imported without it.`)
    return null
  }
  const linkId = origin('link', existing.links, record.linkId)
  const couponId = origin('coupon', existing.coupons, record.couponId)
  return { affiliateId, campaign, linkId, couponId }
}

/** The columns of a referral. Times that the source omits are derived from the others. */
function referralFields(
  record: ReferralRecord,
  campaign: Campaign,
  customerId: string | null,
  fallback: Date,
): { fields: Fields; createdAt: Date; updatedAt: Date } {
  const { conversionState = '', becameLeadAt, becameConversionAt, expiresAt } = record
  const startedAt = expiresAt && addDays(expiresAt, -campaign.daysBeforeReferralsExpire)
  const times = timestampsOf(record, startedAt ?? becameLeadAt ?? becameConversionAt ?? fallback)
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
