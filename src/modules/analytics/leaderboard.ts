import type { Leaderboard } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { sumsOf } from './facts.ts'
import { presetSpan } from './range.ts'

export const leaderboardMonths = ['this_month', 'last_month'] as const
export type LeaderboardMonth = (typeof leaderboardMonths)[number]

export type RankedAffiliate = {
  rank: number
  name: string
  isMe: boolean
  /** Null unless the program shows amounts. */
  amountCents: bigint | null
  currency: string
}

export type Ranking = { from: Date; to: Date; entries: RankedAffiliate[] }

/** The reader's own place is added to them. */
const mostEntries = 20

type Row = { id: string; rank: string; name: string | null; earned: string }

/**
 * The affiliates who earned most in a month of the program's time zone, in its currency. Inactive affiliates, and those
 * who do not want to be seen, are left out. Null if the program has no leaderboard.
 * @param affiliateId who reads it; null for a manager
 */
export async function readLeaderboard(
  ctx: ProgramCtx,
  shows: Leaderboard,
  month: LeaderboardMonth,
  affiliateId: string | null,
): Promise<Ranking | null> {
  if (shows === 'nothing') return null
  const { program } = ctx
  const now = ctx.now()
  const span = presetSpan(month, now, program.timeZone)
  const query = { programId: program.id, currency: program.currency, where: {}, dimension: 'affiliate', now } as const
  const rows = await ctx.db.$queryRaw<Row[]>`
    with earned as (
      select key::uuid as id, sum(amount) as earned from (${sumsOf(query, ['accrued'], [span])}) sums
      group by key having sum(amount) > 0
    ), ranked as (
      select id, rank() over (order by earned desc) as rank, row_number() over (order by earned desc, id) as place,
        coalesce(display_name, nullif(concat_ws(' ', upper(left(first_name, 1)) || '.', upper(left(last_name, 1)) || '.'), '')) as name, earned
      from earned join affiliates using (id)
      where program_id = ${program.id}::uuid and state = 'active' and shows_in_leaderboard
    )
    select id::text, rank::text, name, earned::text from ranked
    where place <= ${mostEntries} or id = ${affiliateId}::uuid order by place`
  const entries = rows.map(({ id, rank, name, earned }) => ({
    rank: Number(rank),
    name: name ?? '–',
    isMe: id === affiliateId,
    amountCents: shows === 'amounts' ? BigInt(earned) : null,
    currency: program.currency,
  }))
  return { from: new Date(span.from), to: new Date(span.to), entries }
}
