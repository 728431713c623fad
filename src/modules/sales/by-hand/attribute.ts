import { sqlWithin } from '../../../database/client/sql.ts'
import type { Prisma } from '../../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { invalid, refused } from '../../../kernel/errors.ts'
import { isId } from '../../../kernel/ids.ts'
import { newCustomer } from '../../customers/service.ts'
import { decideLocked } from '../../referrals/lock.ts'
import { applyWaitingRefunds } from '../refunds/waiting.ts'
import type { Attribution } from '../report/attribute.ts'
import { readSaleFacts } from '../report/facts.ts'
import type { NewSale } from '../report/record.ts'
import type { SaleFacts } from '../signals/sale-facts.ts'
import { writeSale } from '../timeline/write.ts'

/** `signals` are those of the report, without the person's own choice. */
type SaleByHand = NewSale & { email: string | null; coupons: readonly string[] } & Pick<
    Attribution,
    'signals' | 'dropped' | 'feed'
  >

/**
 * Records a sale of the affiliate that a person named, with the rules of when it occurred and without regard to expiry.
 * Later sales of the customer belong to the same affiliate. The caller has locked the external id.
 * @returns the id of the sale
 * @throws INVALID_INPUT for an unknown affiliate; REFUSED if the affiliate is not active
 */
export async function recordByHand(
  ctx: ProgramCtx,
  tx: Prisma.TransactionClient,
  affiliateId: string,
  { email, coupons, signals, dropped, feed, ...sale }: SaleByHand,
): Promise<string> {
  const sql = sqlWithin(tx)
  const programId = ctx.program.id
  const now = ctx.now()
  const { externalId, customerName: name, occurredAt } = sale
  const customer = email === null ? null : newCustomer(programId, { email, name }, now)
  const { facts, attribution } = await decideLocked(sql, { programId, customer }, async () => {
    const named = isId(affiliateId) ? affiliateId : null
    const facts = await readSaleFacts(sql, { programId, externalId, email, affiliateId: named, occurredAt })
    return { facts, attribution: attributeTo(facts, { signals, dropped, feed }) }
  })
  const given = { ...sale, coupons }
  const recorded = await writeSale(ctx, { sql, client: tx }, given, facts, attribution)
  if (externalId !== null) {
    await applyWaitingRefunds(ctx, tx, [externalId])
    await tellFeeds(tx, programId, externalId)
  }
  return recorded.sale.id
}

/**
 * Events of feeds about the payment are derived again: its refunds, its other ids, and the other sales of its customer
 * become what they would be if the events had come after the attribution.
 */
const tellFeeds = (tx: Prisma.TransactionClient, programId: string, externalId: string) =>
  tx.$executeRaw`
    update feed_events set derive_at = created_at
    where program_id = ${programId}::uuid and facts is not null and id in (
      select event_id from feed_objects where program_id = ${programId}::uuid and object = ${externalId}
        and feed_id in (select id from feeds where program_id = ${programId}::uuid))`

/** The customer's referral of the affiliate, or a new one. */
function attributeTo(
  { affiliate, ofAffiliate: referral, campaign }: SaleFacts,
  { signals, dropped, feed }: Pick<Attribution, 'signals' | 'dropped' | 'feed'>,
): Attribution {
  if (!affiliate || !campaign) throw invalid([{ field: 'affiliateId', message: 'Affiliate not found.' }])
  if (affiliate.state !== 'active') throw refused('The affiliate is not active.', ['affiliate_not_active'])
  return {
    signal: 'manual',
    referral,
    affiliate,
    campaign: referral?.campaign ?? campaign,
    couponId: null,
    heldReason: null,
    signals: [...signals, { signal: 'manual', outcome: 'matched' }],
    dropped,
    feed,
  }
}
