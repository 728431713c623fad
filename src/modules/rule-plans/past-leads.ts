import { statement } from '../../database/client/sql.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import type { LeadToReward } from '../rules/lead.ts'

export type PastLead = LeadToReward & { campaignId: string }

type Row = Omit<PastLead, 'groupIds' | 'occurredAt'> & { id: string; groupIds: string[] | null; occurredAt: Date }

const leadsAtOnce = 200

/** The first lead of each customer with each affiliate, if it did not start with a sale. */
const leads = statement<Row>(`
  select r.id::text, r.affiliate_id::text as "affiliateId", r.campaign_id::text as "campaignId", r.became_lead_at as "occurredAt",
    (select array_agg(m.group_id::text) from affiliate_group_memberships m
      where m.program_id = r.program_id and m.affiliate_id = r.affiliate_id and m.from_at <= r.became_lead_at
        and (m.until_at is null or m.until_at > r.became_lead_at)) as "groupIds"
  from referrals r
  where r.program_id = $1::uuid and r.became_lead_at >= $2::timestamptz and r.campaign_id = any($3::uuid[])
    and (r.became_conversion_at is null or r.became_conversion_at > r.became_lead_at)
    and r.id > $4::uuid
    and not exists (select from referrals e
      where e.program_id = r.program_id and e.customer_id = r.customer_id and e.affiliate_id = r.affiliate_id
        and (e.became_lead_at, e.id) < (r.became_lead_at, r.id)
        and (e.became_conversion_at is null or e.became_conversion_at > e.became_lead_at))
  order by r.id limit ${leadsAtOnce}`)

/** Reads the leads of a time on, in batches: those that a rule of now would reward. */
export async function* readPastLeads(
  { db, program }: ProgramCtx,
  from: Date,
  campaignIds: readonly string[],
): AsyncGenerator<PastLead[]> {
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const rows: Row[] = await db.sql.query(leads, [program.id, from.toISOString(), campaignIds, after])
    yield rows.map(({ id: _, groupIds, occurredAt, ...lead }) => ({
      ...lead,
      groupIds: groupIds ?? [],
      occurredAt: new Date(occurredAt),
    }))
    const last = rows.at(-1)
    if (!last || rows.length < leadsAtOnce) return
    after = last.id
  }
}
