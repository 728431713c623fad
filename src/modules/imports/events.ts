import { eventsOf, recordEvents } from '../events/record.ts'
import type { EventType } from '../events/types.ts'
import type { Batch } from './batch.ts'
import type { RecordKind } from './input.ts'

/** The events of a created or updated record. Earlier changes at the source get no events. */
const types: Record<RecordKind, { created: EventType[]; updated: EventType[] }> = {
  campaign: { created: ['tributary.campaign.created'], updated: ['tributary.campaign.updated'] },
  affiliate: { created: ['affiliate.created'], updated: ['affiliate.updated'] },
  affiliate_link: { created: ['affiliate_link.created'], updated: ['affiliate_link.updated'] },
  affiliate_coupon: { created: ['affiliate_coupon.created'], updated: ['affiliate_coupon.updated'] },
  // There is no type for an updated referral.
  referral: { created: ['referral.created'], updated: [] },
  sale: { created: ['sale.created'], updated: ['sale.updated'] },
  commission: { created: ['commission.created'], updated: ['commission.updated'] },
  // The row of a payout is written with its commissions.
  payout: { created: [], updated: [] },
}

/** Records the events of a batch, with the present state: one that was imported as paid is paid. */
export async function recordImported({ tx, ctx, now, results, records, payouts }: Batch): Promise<void> {
  const events = [...results].flatMap(([key, { kind, outcome }]) => {
    const id = records.get(key)?.id
    return id && (outcome === 'created' || outcome === 'updated') ? eventsOf(id, types[kind][outcome]) : []
  })
  const ofPayouts = [...payouts].flatMap(([id, outcome]) => eventsOf(id, [`payout.${outcome}`]))
  await recordEvents(tx, { ...ctx, isSilent: false }, [...events, ...ofPayouts], now)
}
