import { type Import, Prisma } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { readableAmount } from '../../kernel/money/decimals.ts'
import { commissions } from '../../resources/commissions.ts'
import type { CommissionState } from '../commissions/input.ts'
import { emptyPayoutNote } from './empty-payouts.ts'
import { importKinds, type RecordKind } from './input.ts'
import { progressOf } from './progress.ts'

export type ImportedKindReport = {
  kind: RecordKind
  source: number
  here: number
  created: number
  updated: number
  leftOut: number
}
/** `sold` and `refunded` are for sales. `unknown` is a state of the source without an equal here. */
export type ImportedState = CommissionState | 'sold' | 'refunded' | 'unknown'

/** Count and amount of the records of one kind, state and currency, on both sides. */
export type ImportedSum = {
  kind: RecordKind
  state: ImportedState
  currency: string
  sourceCount: number
  sourceCents: bigint
  hereCount: number
  hereCents: bigint
}

export type ImportNote = { kind: RecordKind; isLeftOut: boolean; note: string; count: number; externalIds: string[] }

export type ImportReport = { kinds: ImportedKindReport[]; sums: ImportedSum[]; notes: ImportNote[] }

export const tables: Record<RecordKind, string> = {
  campaign: 'campaigns',
  affiliate: 'affiliates',
  affiliate_link: 'affiliate_links',
  affiliate_coupon: 'affiliate_coupons',
  referral: 'referrals',
  sale: 'sales',
  commission: 'commissions',
  payout: 'payouts',
}

/** Reads the report of a run. `found` is the import, whose start time decides what belongs to the run. */
export async function readReport(ctx: ProgramCtx, found: Import): Promise<ImportReport> {
  const { db, program } = ctx
  const now = ctx.now()
  // The records of this run. A placeholder referral is not a record of the source.
  const read = Prisma.sql`i.program_id = ${program.id}::uuid and i.seen_at >= ${found.startedAt}::timestamptz`
  const isReal = Prisma.sql`i.seen->>'standIn' is null`
  const counts = await db.$queryRaw<{ kind: RecordKind; source: number; left_out: number }[]>`
    select kind, count(*)::int as source, (count(*) filter (where is_left_out))::int as left_out
    from imported_records i where ${read} and ${isReal} group by kind`
  const rowCounts = Object.entries(tables).map(
    ([kind, table]) => Prisma.sql`
      select ${kind} as kind, count(*)::int as here from imported_records i
      where ${read} and ${isReal} and i.kind = ${kind}::import_kind
        and exists (select 1 from ${Prisma.raw(table)} t where t.program_id = i.program_id and t.id = i.id)`,
  )
  const rows = await db.$queryRaw<{ kind: RecordKind; here: number }[]>(Prisma.join(rowCounts, ' union all '))
  const kinds = importKinds.map((kind): ImportedKindReport => {
    const { source = 0, left_out: leftOut = 0 } = counts.find((one) => one.kind === kind) ?? {}
    const { created = 0, updated = 0 } = progressOf(found).kinds[kind] ?? {}
    return { kind, source, here: rows.find((one) => one.kind === kind)?.here ?? 0, created, updated, leftOut }
  })
  const sums = await readSums(db, read, isReal, now)
  const notes = await db.$queryRaw<ImportNote[]>`
    select kind, is_left_out as "isLeftOut", note, count(*)::int as count,
      (array_agg(external_id order by external_id))[1:5] as "externalIds"
    from imported_records i where ${read} and note is not null
    group by kind, is_left_out, note order by is_left_out desc, kind, count(*) desc, note limit 200`
  return {
    kinds,
    sums,
    notes: [...notes, ...(await readPayoutDifferences(db, read, isReal)), ...(await readDisappeared(db, found))],
  }
}

/** Counts and amounts of commissions, sales and payouts: each record at the source, and each row here. */
async function readSums(
  db: Pick<ProgramCtx['db'], '$queryRaw'>,
  read: Prisma.Sql,
  isReal: Prisma.Sql,
  now: Date,
): Promise<ImportedSum[]> {
  const cents = (field: string) => Prisma.sql`(i.seen->>${field})::bigint`
  const record = (kind: string) => Prisma.sql`from imported_records i where ${read} and i.kind = ${kind}::import_kind`
  const joined = (kind: string, table: string) => Prisma.sql`
    from imported_records i join ${Prisma.raw(table)} t on t.program_id = i.program_id and t.id = i.id
    where ${read} and i.kind = ${kind}::import_kind`
  const due = Prisma.sql`${now}::timestamptz`
  const none = Prisma.sql`0::bigint as here_count, 0::bigint as here_cents`
  const rows = await db.$queryRaw<
    (Omit<ImportedSum, 'sourceCount' | 'hereCount'> & Record<'sourceCount' | 'hereCount', bigint>)[]
  >`
    with sides as (
      select 'commission' as kind, case i.seen->>'state' when 'open' then
          case when (i.seen->>'dueAt')::timestamptz <= ${due} then 'due' else 'pending' end else coalesce(i.seen->>'state', 'unknown') end as state,
        i.seen->>'currency' as currency, 1::bigint as source_count, ${cents('amountCents')} as source_cents, ${none} ${record('commission')}
      union all
      select 'commission', ${commissions.states.case(now, 't.')}, t.currency, 0, 0, 1, t.amount_cents ${joined('commission', 'commissions')}
      union all
      select 'sale', 'sold', i.seen->>'currency', 1, ${cents('amountCents')}, 0, 0 ${record('sale')}
      union all
      select 'sale', 'refunded', i.seen->>'currency', 1, ${cents('refundedCents')}, 0, 0 ${record('sale')} and ${cents('refundedCents')} > 0
      union all
      select 'sale', 'sold', t.currency, 0, 0, 1, t.amount_cents ${joined('sale', 'sales')}
      union all
      select 'sale', 'refunded', t.currency, 0, 0, 1, t.refunded_cents ${joined('sale', 'sales')} and t.refunded_cents > 0
      union all
      select 'payout', case when i.seen->>'paidAt' is null then 'pending' else 'paid' end, i.seen->>'currency', 1, ${cents('amountCents')}, 0, 0
        ${record('payout')} and ${isReal}
      union all
      select 'payout', 'paid', t.currency, 0, 0, 1, t.amount_cents ${joined('payout', 'payouts')} and t.paid_at is not null
      union all
      select 'payout', 'pending', p.currency, 0, 0, 1, p.amount_cents
      from (
        select t.payout_id, t.currency, sum(t.amount_cents)::bigint as amount_cents
        ${joined('commission', 'commissions')} and t.payout_id is not null and t.paid_at is null group by t.payout_id, t.currency
      ) p
    )
    select kind, state, currency, sum(source_count)::bigint as "sourceCount", coalesce(sum(source_cents), 0)::bigint as "sourceCents",
      sum(here_count)::bigint as "hereCount", sum(here_cents)::bigint as "hereCents"
    from sides where currency is not null group by kind, state, currency order by kind, currency, state`
  return rows.map(({ sourceCount, hereCount, ...row }) => ({
    ...row,
    sourceCount: Number(sourceCount),
    hereCount: Number(hereCount),
  }))
}

/** Records of an earlier run that the source does not show any more. They stay here, and count in what is owed. */
async function readDisappeared(
  db: Pick<ProgramCtx['db'], '$queryRaw'>,
  { programId, startedAt }: Import,
): Promise<ImportNote[]> {
  return db.$queryRaw<ImportNote[]>`
    select kind, false as "isLeftOut", 'The source does not show it any more. It stays here.' as note, count(*)::int as count,
      (array_agg(external_id order by external_id))[1:5] as "externalIds"
    from imported_records i
    where program_id = ${programId}::uuid and seen_at < ${startedAt}::timestamptz and id is not null
      and kind not in ('payout_line', 'sale') and seen->>'standIn' is null
    group by kind`
}

/** Paid payouts with another amount here, because commissions are missing. One note by reason and currency. */
async function readPayoutDifferences(
  db: Pick<ProgramCtx['db'], '$queryRaw'>,
  read: Prisma.Sql,
  isReal: Prisma.Sql,
): Promise<ImportNote[]> {
  type Row = { currency: string; hasRow: boolean; hasLines: boolean; there: string; here: string | null }
  const rows = await db.$queryRaw<(Row & Pick<ImportNote, 'count' | 'externalIds'>)[]>`
    select i.seen->>'currency' as currency, p.id is not null as "hasRow", coalesce((i.seen->>'lines')::int, 0) > 0 as "hasLines",
      sum((i.seen->>'amountCents')::bigint)::text as there, sum(p.amount_cents)::text as here, count(*)::int as count,
      (array_agg(i.external_id order by i.external_id))[1:5] as "externalIds"
    from imported_records i left join payouts p on p.program_id = i.program_id and p.id = i.id
    where ${read} and ${isReal} and i.kind = 'payout' and not i.is_left_out and i.seen->>'paidAt' is not null
      and p.amount_cents is distinct from (i.seen->>'amountCents')::bigint
    group by 1, 2, 3 order by 1, 2, 3`
  return rows.map(({ currency, hasRow, hasLines, there, here, count, externalIds }) => {
    const amount = (cents: string | null) => readableAmount(BigInt(cents ?? 0), currency)
    const difference = `The source shows ${amount(there)}, but the imported commissions of the payouts add up to ${amount(here)}.`
    return {
      kind: 'payout',
      isLeftOut: !hasRow,
      note: hasRow ? difference : emptyPayoutNote(hasLines ? 1 : 0),
      count,
      externalIds,
    }
  })
}
