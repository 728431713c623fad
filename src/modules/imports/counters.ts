import { Prisma, type Referral } from '../../generated/prisma/client.ts'
import type { Batch } from './batch.ts'

type Counts = { visitors: number; leads: number; conversions: number }

const countsOf = (referral: Referral | null): Counts => ({
  visitors: referral ? 1 : 0,
  leads: referral?.becameLeadAt ? 1 : 0,
  conversions: referral?.becameConversionAt ? 1 : 0,
})

/** Brings the counters of affiliates and links up to what referrals became; null stands for one that is new. */
export async function countReferrals(
  batch: Batch,
  changed: readonly { before: Referral | null; after: Referral }[],
): Promise<void> {
  await add(batch, 'affiliates', changed, ({ affiliateId }) => affiliateId)
  await add(batch, 'affiliate_links', changed, ({ linkId }) => linkId)
}

async function add(
  { tx, ctx }: Batch,
  table: string,
  changed: readonly { before: Referral | null; after: Referral }[],
  keyOf: (referral: Referral) => string | null,
): Promise<void> {
  const tallies = new Map<string, Counts & { id: string }>()
  for (const { before, after } of changed) {
    const id = keyOf(after)
    if (id === null) continue
    const tally = tallies.get(id) ?? { id, visitors: 0, leads: 0, conversions: 0 }
    const [from, to] = [countsOf(before), countsOf(after)]
    tally.visitors += to.visitors - from.visitors
    tally.leads += to.leads - from.leads
    tally.conversions += to.conversions - from.conversions
    tallies.set(id, tally)
  }
  const counted = [...tallies.values()].filter(({ visitors, leads, conversions }) => visitors || leads || conversions)
  if (counted.length === 0) return
  const name = Prisma.raw(`"${table}"`)
  const program = Prisma.sql`${ctx.program.id}::uuid`
  const ids = counted.map(({ id }) => id)
  // Locked in the order of ids first, as whoever counts does it.
  await tx.$queryRaw`select 1 from ${name} where program_id = ${program} and id = any(${ids}::uuid[]) order by id for no key update`
  await tx.$executeRaw`
    update ${name} t set visitors = t.visitors + c.visitors, leads = t.leads + c.leads, conversions = t.conversions + c.conversions
    from jsonb_to_recordset(${JSON.stringify(counted)}::jsonb) as c(id uuid, visitors int, leads int, conversions int)
    where t.program_id = ${program} and t.id = c.id`
}
