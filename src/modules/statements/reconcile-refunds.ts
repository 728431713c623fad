import { statement } from '../../database/client/sql.ts'
import type { SqlTransaction } from '../../kernel/db.ts'
import { groupBy } from '../../kernel/group-by.ts'
import { givenBackCents } from '../feeds/derive/given-back.ts'
import type { Fact } from '../feeds/facts.ts'

/** An account of one kind in one currency: sums as text, and what differs in it. */
export type Compared = { currency: string; said: string; booked: string; differing: { id: string; cents: string }[] }

/** Sales that are read at once, so that memory is flat. */
const pageSize = 500

type SaleRow = {
  id: string
  currency: string
  amountCents: string
  /** Refunds that count, recorded before the month and before its end. */
  bookedBefore: string
  bookedUntil: string
  events: { isBefore: boolean; facts: Fact[] | null }[]
}

// A refund can have several events, a number of its own, and an amount with taxes. So what the events of a sale say
// together is compared with its refunds, as it was at both ends of the month.
const sales = statement<SaleRow>(`
  with given as (
    select distinct e.sale_id as id from feed_events e
    where e.program_id = $1::uuid and e.created_at >= $2::timestamptz and e.created_at < $3::timestamptz and e.sale_id > $4::uuid
      and e.facts @? '$[*] ? (@.kind == "refund" || @.kind == "refunded_total" || @.kind == "dispute" || @.kind == "void")'
    order by 1 limit ${pageSize})
  select s.id::text, s.currency, s.amount_cents::text as "amountCents",
    (select coalesce(sum(r.amount_cents) filter (where r.created_at < $2::timestamptz and (r.reversed_at is null or r.reversed_at >= $2::timestamptz)), 0)::text
      from refunds r where r.program_id = s.program_id and r.sale_id = s.id) as "bookedBefore",
    (select coalesce(sum(r.amount_cents) filter (where r.created_at < $3::timestamptz and (r.reversed_at is null or r.reversed_at >= $3::timestamptz)), 0)::text
      from refunds r where r.program_id = s.program_id and r.sale_id = s.id) as "bookedUntil",
    (select jsonb_agg(jsonb_build_object('isBefore', e.created_at < $2::timestamptz, 'facts', e.facts) order by e.id)
      from feed_events e where e.program_id = s.program_id and e.sale_id = s.id and e.created_at < $3::timestamptz) as events
  from given join sales s on s.program_id = $1::uuid and s.id = given.id order by s.id`)

/** Compares the refunds of a month, of sales of which a feed said something in it. */
export async function compareRefunds(
  sql: Pick<SqlTransaction, 'query'>,
  programId: string,
  { fromAt, untilAt }: { fromAt: Date; untilAt: Date },
): Promise<Compared[]> {
  const rows: { id: string; currency: string; said: bigint; booked: bigint }[] = []
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const page = await sql.query(sales, [programId, fromAt, untilAt, after])
    rows.push(...page.map(comparedSale))
    const last = page.at(-1)
    if (!last || page.length < pageSize) break
    after = last.id
  }
  return [...groupBy(rows, ({ currency }) => currency)].map(([currency, ofCurrency]) => {
    const sum = (of: 'said' | 'booked') => String(ofCurrency.reduce((total, row) => total + row[of], 0n))
    const differing = ofCurrency
      .filter(({ said, booked }) => said !== booked)
      .map(({ id, said, booked }) => ({ id, cents: String(said - booked) }))
    return { currency, said: sum('said'), booked: sum('booked'), differing }
  })
}

function comparedSale({ id, currency, amountCents, bookedBefore, bookedUntil, events }: SaleRow) {
  const saleCents = BigInt(amountCents)
  const saidBy = (of: SaleRow['events']) =>
    givenBackCents(
      of.flatMap(({ facts }) => facts ?? []),
      saleCents,
    )
  const said = saidBy(events) - saidBy(events.filter(({ isBefore }) => isBefore))
  return { id, currency, said, booked: BigInt(bookedUntil) - BigInt(bookedBefore) }
}
