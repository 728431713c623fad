import type { ProgramCtx } from '../../kernel/context.ts'

export type CampaignCounts = { visitors: number; leads: number; conversions: number; affiliates: number }

const zero: CampaignCounts = { visitors: 0, leads: 0, conversions: 0, affiliates: 0 }

/**
 * Counts the referrals, of all time, and the affiliates of campaigns, in the order of `ids`: exactly, by the months of
 * the rollup and the unfolded deltas in one statement.
 */
export async function countByCampaign({ db, program }: ProgramCtx, ids: readonly string[]): Promise<CampaignCounts[]> {
  const rows = await db.$queryRaw<{ id: string; kind: keyof CampaignCounts; count: number }[]>`
    with counted as (
      select campaign_id, kind, count from analytics_by_campaign
      where program_id = ${program.id}::uuid and kind in ('visitor', 'lead', 'conversion') and grain = 'month'
        and campaign_id = any(${[...ids]}::uuid[])
      union all
      select campaign_id, kind, count from analytics_deltas
      where program_id = ${program.id}::uuid and kind in ('visitor', 'lead', 'conversion')
        and campaign_id = any(${[...ids]}::uuid[])
    )
    select campaign_id::text as id, kind::text || 's' as kind, sum(count)::int as count
    from counted group by campaign_id, counted.kind
    union all
    select campaign_id::text, 'affiliates', count(*)::int from affiliates
    where program_id = ${program.id}::uuid and campaign_id = any(${[...ids]}::uuid[]) group by campaign_id`
  const counts = new Map<string, CampaignCounts>()
  for (const { id, kind, count } of rows) counts.set(id, { ...zero, ...counts.get(id), [kind]: count })
  return ids.map((id) => counts.get(id) ?? zero)
}
