import type { Campaign, Change, Commission, Referral, Refund, Sale } from '../../../generated/prisma/client.ts'
import { rowAsOf } from '../../history/point-in-time.ts'
import { lockAffiliates } from '../../payouts/settle.ts'
import { type Batch, byId, findImported, idsOf } from '../batch.ts'
import type { RecordOf } from '../input.ts'
import type { ImportedRecord } from '../plan.ts'

export type CommissionRecord = RecordOf<'commission'>
export type SaleWithCommissions = Sale & { commissions: Commission[]; refunds: Refund[] }

/** The rows that a batch of commissions concerns, by ids at the source unless said otherwise. */
export type Existing = {
  imported: Map<string, ImportedRecord>
  commissions: Map<string, Commission>
  affiliateIds: Map<string, string>
  /** Placeholder referrals have the key `placeholderKey`. */
  referrals: Map<string, Referral>
  campaigns: Map<string, Campaign>
  campaignChanges: Change[]
  campaignIds: Map<string, string>
  /** The campaigns of the affiliates, by the affiliate's id here. */
  affiliateCampaignIds: Map<string, string>
  /** By `saleKey`. */
  sales: Map<string, SaleWithCommissions>
  /** By the id in the billing system, whether the sale was imported or reported here. */
  salesByBillingId: Map<string, SaleWithCommissions>
  /** Sales that were left out, because their commissions were. */
  leftOutSales: Set<string>
  importedSaleIds: Set<string>
}

/** Whether a commission was imported before and has a row here. */
export const isImported = ({ imported, commissions }: Existing, { externalId }: CommissionRecord): boolean =>
  commissions.has(imported.get(externalId)?.id ?? '')

/** The id of a sale at the source. A sale that the source does not show is named after its commission. */
export const saleKey = (record: CommissionRecord) => record.saleId ?? `sale of ${record.externalId}`

/** The external id of a placeholder referral, for commissions without a usable referral. */
export const placeholderKey = (affiliateId: string, campaignId: string) => `stand-in ${affiliateId} ${campaignId}`

export async function readExisting(batch: Batch, records: readonly CommissionRecord[]): Promise<Existing> {
  const { tx, ctx } = batch
  const programId = ctx.program.id
  const among = (ids: readonly string[]) => ({ programId, id: { in: [...ids] } })
  const find = (kind: Parameters<typeof findImported>[1], of: (record: CommissionRecord) => string | undefined) =>
    findImported(batch, kind, records.map(of))

  const imported = await find('commission', ({ externalId }) => externalId)
  const affiliates = await find('affiliate', ({ affiliateId }) => affiliateId)
  const campaigns = await find('campaign', ({ campaignId }) => campaignId)
  const affiliateRows = await tx.affiliate.findMany({
    where: among(idsOf(affiliates)),
    select: { id: true, campaignId: true },
  })
  const affiliateCampaignIds = new Map(affiliateRows.map(({ id, campaignId }) => [id, campaignId]))
  const placeholders = records.flatMap((record) => {
    const affiliateId = affiliates.get(record.affiliateId)?.id
    const campaignId = campaigns.get(record.campaignId ?? '')?.id ?? affiliateCampaignIds.get(affiliateId ?? '')
    return affiliateId && campaignId ? placeholderKey(affiliateId, campaignId) : []
  })
  const referralKeys = [...records.map(({ referralId }) => referralId), ...placeholders]
  const referrals = await findImported(batch, 'referral', referralKeys)
  const sales = await find('sale', saleKey)

  // Referrals are locked before affiliates, as everywhere else. Rows that are read after this cannot change.
  const referralIds = [...new Set(idsOf(referrals))]
  await tx.$queryRaw`
    select 1 from referrals where program_id = ${programId}::uuid and id = any(${referralIds}::uuid[]) order by id for update`
  await lockAffiliates(tx, programId, idsOf(affiliates))
  const referralRows = await tx.referral.findMany({ where: among(referralIds) })
  const billingIds = records.flatMap(({ saleBillingId }) => saleBillingId ?? [])
  const saleRows = await tx.sale.findMany({
    where: { programId, OR: [{ id: { in: idsOf(sales) } }, { externalId: { in: billingIds } }] },
    include: { commissions: true, refunds: { orderBy: { id: 'asc' } } },
  })
  const importedSales = await tx.importedRecord.findMany({
    where: { programId, kind: 'sale', id: { in: saleRows.map((row) => row.id) } },
    select: { id: true },
  })
  const leftOutSales = await tx.importedRecord.findMany({
    where: { programId, kind: 'sale', externalId: { in: records.map(saleKey) }, id: null },
    select: { externalId: true },
  })
  const campaignRows = await tx.campaign.findMany({ where: { programId } })
  const campaignChanges = await tx.change.findMany({
    where: { programId, subject: 'campaign', action: { not: 'created' } },
  })
  const commissionRows = await tx.commission.findMany({ where: among(idsOf(imported)) })
  return {
    imported,
    commissions: byId(commissionRows),
    affiliateIds: idByKey(affiliates),
    referrals: rowByKey(referrals, referralRows),
    campaigns: byId(campaignRows),
    campaignChanges,
    campaignIds: idByKey(campaigns),
    affiliateCampaignIds,
    sales: rowByKey(sales, saleRows),
    salesByBillingId: new Map(
      saleRows.flatMap((row) => (row.externalId === null ? [] : [[row.externalId, row] as const])),
    ),
    leftOutSales: new Set(leftOutSales.map(({ externalId }) => externalId)),
    importedSaleIds: new Set(importedSales.flatMap((row) => row.id ?? [])),
  }
}

/** A campaign, by id here, with the rules that were in force at a time. */
export function campaignAt({ campaigns, campaignChanges }: Existing, id: string, at: Date): Campaign {
  const changes = campaignChanges.filter(({ subjectId }) => subjectId === id)
  return rowAsOf('campaign', campaigns.get(id) as Campaign, changes, at)
}

const idByKey = (imported: Map<string, ImportedRecord>): Map<string, string> =>
  new Map([...imported].map(([key, { id }]) => [key, id]))

function rowByKey<Row extends { id: string }>(
  imported: Map<string, ImportedRecord>,
  rows: readonly Row[],
): Map<string, Row> {
  const rowById = byId(rows)
  return new Map(
    [...imported].flatMap(([key, { id }]) => {
      const row = rowById.get(id)
      return row ? [[key, row] as const] : []
    }),
  )
}
