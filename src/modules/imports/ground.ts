import type { Campaign, Commission, Referral, Refund, Sale } from '../../generated/prisma/client.ts'
import { lockAffiliates } from '../payouts/settle.ts'
import { type Batch, type Known, readKnown } from './batch.ts'
import type { RecordOf } from './input.ts'

export type CommissionRecord = RecordOf<'commission'>
export type SaleHere = Sale & { commissions: Commission[]; refunds: Refund[] }

/** What a batch of commissions stands on, looked up all at once. */
export type Ground = {
  known: Map<string, Known>
  commissions: Map<string, Commission>
  affiliates: Map<string, string>
  /** By id at the source; those that stand in by their own key. */
  referrals: Map<string, Referral>
  campaigns: Map<string, Campaign>
  campaignIds: Map<string, string>
  /** The default campaign, of affiliates and commissions that name none. */
  affiliateCampaigns: Map<string, string>
  sales: Map<string, SaleHere>
  /** By what the billing system calls them, whether imported or reported here. */
  billed: Map<string, SaleHere>
  /** The sales among them that were imported, under whatever id. */
  imported: Set<string>
}

/** What a sale is called at the source; one that it does not show goes by its commission. */
export const saleKey = (record: CommissionRecord) => record.saleId ?? `sale of ${record.externalId}`

/** The referral that stands in where the source does not say which it was: one for each affiliate and campaign. */
export const standInKey = (affiliateId: string, campaignId: string) => `stand-in ${affiliateId} ${campaignId}`

export async function readGround(batch: Batch, records: readonly CommissionRecord[]): Promise<Ground> {
  const { tx, ctx } = batch
  const programId = ctx.program.id
  const among = (ids: Iterable<string>) => ({ programId, id: { in: [...ids] } })
  const idsOf = (known: Map<string, Known>) => [...known.values()].map(({ id }) => id)
  const readAll = (kind: Parameters<typeof readKnown>[1], of: (record: CommissionRecord) => string | undefined) =>
    readKnown(batch, kind, records.map(of))

  const known = await readAll('commission', ({ externalId }) => externalId)
  const affiliates = await readAll('affiliate', ({ affiliateId }) => affiliateId)
  const campaigns = await readAll('campaign', ({ campaignId }) => campaignId)
  const affiliateRows = await tx.affiliate.findMany({
    where: among(idsOf(affiliates)),
    select: { id: true, campaignId: true },
  })
  const affiliateCampaigns = new Map(affiliateRows.map(({ id, campaignId }) => [id, campaignId]))
  const standIns = records.flatMap((record) => {
    const affiliateId = affiliates.get(record.affiliateId)?.id
    const campaignId = campaigns.get(record.campaignId ?? '')?.id ?? affiliateCampaigns.get(affiliateId ?? '')
    return affiliateId && campaignId ? standInKey(affiliateId, campaignId) : []
  })
  const referrals = await readKnown(batch, 'referral', [...records.map(({ referralId }) => referralId), ...standIns])
  const sales = await readAll('sale', saleKey)
  const billingIds = records.flatMap(({ saleBillingId }) => saleBillingId ?? [])

  // Locks in the order of all verbs, referrals and then affiliates: what is read after it stays so.
  const referralIds = [...new Set(idsOf(referrals))]
  await tx.$queryRaw`
    select 1 from referrals where program_id = ${programId}::uuid and id = any(${referralIds}::uuid[]) order by id for update`
  await lockAffiliates(tx, programId, idsOf(affiliates))
  const referralRows = await tx.referral.findMany({ where: among(referralIds) })
  const saleRows = await tx.sale.findMany({
    where: { programId, OR: [{ id: { in: idsOf(sales) } }, { externalId: { in: billingIds } }] },
    include: { commissions: true, refunds: { orderBy: { id: 'asc' } } },
  })
  const importedSales = await tx.importedRecord.findMany({
    where: { programId, kind: 'sale', id: { in: saleRows.map((row) => row.id) } },
    select: { id: true },
  })
  const salesById = new Map(saleRows.map((row) => [row.id, row]))
  const referralsById = new Map(referralRows.map((row) => [row.id, row]))
  const campaignRows = await tx.campaign.findMany({ where: { programId } })
  const commissionRows = await tx.commission.findMany({ where: among(idsOf(known)) })

  const resolved = <T>(from: Map<string, Known>, rows: Map<string, T>) =>
    new Map([...from].flatMap(([key, { id }]) => (rows.has(id) ? [[key, rows.get(id) as T] as const] : [])))
  return {
    known,
    commissions: new Map(commissionRows.map((row) => [row.id, row])),
    affiliates: new Map([...affiliates].map(([key, { id }]) => [key, id])),
    referrals: resolved(referrals, referralsById),
    campaigns: new Map(campaignRows.map((row) => [row.id, row])),
    campaignIds: new Map([...campaigns].map(([key, { id }]) => [key, id])),
    affiliateCampaigns,
    sales: resolved(sales, salesById),
    billed: new Map(saleRows.flatMap((row) => (row.externalId === null ? [] : [[row.externalId, row]]))),
    imported: new Set(importedSales.flatMap((row) => row.id ?? [])),
  }
}
