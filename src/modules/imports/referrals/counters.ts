import { Prisma, type Referral } from '../../../generated/prisma/client.ts'
import type { Batch } from '../batch.ts'

type Counts = { visitors: number; leads: number; conversions: number }

const countsOf = (referral: Referral | null): Counts => ({
  visitors: referral ? 1 : 0,
  leads: referral?.becameLeadAt ? 1 : 0,
  conversions: referral?.becameConversionAt ? 1 : 0,
})

/** Updates the counters of affiliates, links and coupons. `before` is null for a new referral. */
export async function countReferrals(
  batch: Batch,
  changed: readonly { before: Referral | null; after: Referral }[],
): Promise<void> {
  await addCounts(batch, 'affiliates', changed, ({ affiliateId }) => affiliateId)
  await addCounts(batch, 'affiliate_links', changed, ({ linkId }) => linkId)
  await addCounts(batch, 'affiliate_coupons', changed, ({ couponId }) => couponId)
}

async function addCounts(
  { tx, ctx }: Batch,
  table: string,
  changed: readonly { before: Referral | null; after: Referral }[],
  keyOf: (referral: Referral) => string | null,
): Promise<void> {
  const deltas = new Map<string, Counts & { id: string }>()
  for (const { before, after } of changed) {
    const id = keyOf(after)
    if (id === null) continue
    const delta = deltas.get(id) ?? { id, visitors: 0, leads: 0, conversions: 0 }
    const [from, to] = [countsOf(before), countsOf(after)]
    delta.visitors += to.visitors - from.visitors
    delta.leads += to.leads - from.leads
    delta.conversions += to.conversions - from.conversions
    deltas.set(id, delta)
  }
  const counted = [...deltas.values()].filter(({ visitors, leads, conversions }) => visitors || leads || conversions)
  if (counted.length === 0) return
  const name = Prisma.raw(`"${table}"`)
  const program = Prisma.sql`${ctx.program.id}::uuid`
  const ids = counted.map(({ id }) => id)
  // Every writer of counters locks rows in the order of their ids first, which avoids deadlocks.
  await tx.$queryRaw`select 1 from ${name} where program_id = ${program} and id = any(${ids}::uuid[]) order by id for no key update`
  await tx.$executeRaw`
    update ${name} t set visitors = t.visitors + c.visitors, leads = t.leads + c.leads, conversions = t.conversions + c.conversions
    from jsonb_to_recordset(${JSON.stringify(counted)}::jsonb) as c(id uuid, visitors int, leads int, conversions int)
    where t.program_id = ${program} and t.id = c.id`
}
