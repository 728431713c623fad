import { sqlWithin, statement } from '../../../database/client/sql.ts'
import type { Prisma } from '../../../generated/prisma/client.ts'
import type { PayoutMethod } from '../../../generated/prisma/enums.ts'
import { isId } from '../../../kernel/ids.ts'
import { snakeCase } from '../../../kernel/text.ts'
import type { Minimums } from '../../campaigns/minimum-payouts.ts'
import { addressFieldNames } from '../../payout-methods/addresses.ts'
import { methods } from '../../payout-methods/all.ts'
import { recipientOf } from '../../payout-methods/choose.ts'
import type { FilePayout } from '../../payout-methods/payee.ts'
import { openPayout } from '../due.ts'
import { openItemOf } from '../open-runs.ts'
import type { PayoutWithCampaign, SkipReason } from '../skip.ts'

/** A payout as a run reads it. */
export type RunPayout = FilePayout & PayoutWithCampaign

type Row = Omit<RunPayout, 'affiliate' | '_count'> &
  Omit<RunPayout['affiliate'], 'campaign'> &
  Minimums & { commissions: number; heldBy: 'in_open_run' | 'unclaimed' | null }

const addressColumns = addressFieldNames.map((name) => `a.${snakeCase(name)} as "${name}"`).join(', ')

const pageOf = (condition: string) =>
  statement<Row>(`
    select p.program_id::text as "programId", p.id::text, p.affiliate_id::text as "affiliateId", p.currency, p.amount_cents as "amountCents",
      p.paid_at as "paidAt", p.failed_at as "failedAt", p.reference, p.created_at as "createdAt",
      a.email, a.first_name as "firstName", a.last_name as "lastName", ${addressColumns},
      a.recipient_type::text as "recipientType", a.preferred_payout_method::text as "preferredPayoutMethod", a.payouts_held_until as "payoutsHeldUntil", a.company, a.state::text,
      lacks_tax_profile(p.program_id, p.affiliate_id, $6::timestamptz) as "lacksTaxProfile", withholding_of(a) as "effectiveBasisPoints",
      c.minimum_payout_cents as "minimumPayoutCents", c.minimum_payouts as "minimumPayouts",
      case when $4::boolean then (select count(*) from commissions m where m.program_id = p.program_id and m.payout_id = p.id) else 0 end::int as commissions,
      (select case item.state when 'unclaimed' then 'unclaimed' else 'in_open_run' end from payout_run_items item
        where ${openItemOf('p').sql} limit 1) as "heldBy"
    from (select * from payouts where program_id = $1::uuid and id > $2::uuid and ${condition} order by id limit $5::int) p
      join affiliates a on a.program_id = p.program_id and a.id = p.affiliate_id
      join campaigns c on c.program_id = a.program_id and c.id = a.campaign_id
    order by p.id`)
const named = pageOf('id = any($3::uuid[])')
const open = pageOf(`currency = $3::text and ${openPayout.sql}`)

const leastId = '00000000-0000-0000-0000-000000000000'

/** A payout that a run may take, and why its affiliate or another payment stands in the way. */
export type Candidate = { payout: RunPayout; heldBy: SkipReason | null }

/** Which payouts a run is made of: those with these ids, or all open ones in a currency. */
export type Chosen = { payoutIds: string[] } | { currency: string }

/**
 * Reads payouts page by page, oldest first, in one statement each: Prisma takes several times as long for as many rows.
 * The next page is read while the caller uses one.
 */
export async function* payoutPages(
  tx: Prisma.TransactionClient,
  programId: string,
  chosen: Chosen,
  { method, size, now }: { method: PayoutMethod; size: number; now: Date },
): AsyncGenerator<Candidate[]> {
  const [read, which] = 'currency' in chosen ? [open, chosen.currency] : [named, chosen.payoutIds.filter(isId)]
  const rowsAfter = (id: string) => {
    const rows = sqlWithin(tx).query(read, [
      programId,
      id,
      which,
      methods[method].file?.countsCommissions ?? false,
      size,
      now,
    ])
    rows.catch(() => undefined)
    return rows
  }
  let reading: Promise<Row[]> | null = rowsAfter(leastId)
  try {
    while (reading) {
      const rows: Row[] = await reading
      const dead = await readDead(tx, programId, rows)
      const last = rows.at(-1)
      reading = last && rows.length === size ? rowsAfter(last.id) : null
      yield rows.map((row) => {
        const { payout, heldBy } = runPayout(row)
        const recipient = recipientOf(payout.affiliate, method)
        return {
          payout,
          heldBy: heldBy ?? (recipient && dead.has(`${row.affiliateId} ${recipient}`) ? 'dead_address' : null),
        }
      })
    }
  } finally {
    // A caller that gives up ends its transaction after the statement.
    await reading?.catch(() => undefined)
  }
}

const failedOften = statement<{ affiliateId: string; recipient: string }>(`
  select affiliate_id::text as "affiliateId", recipient from payout_run_items failed
  where program_id = $1::uuid and affiliate_id = any($2::uuid[]) and state = 'failed' and recipient is not null
    and not exists (select from payout_run_items paid where paid.program_id = failed.program_id
      and paid.affiliate_id = failed.affiliate_id and paid.recipient = failed.recipient and paid.state = 'paid' and paid.id > failed.id)
  group by affiliate_id, recipient having count(*) >= 3`)

/** Addresses to which the last three payments failed, each after the id of its affiliate. */
async function readDead(tx: Prisma.TransactionClient, programId: string, rows: readonly Row[]): Promise<Set<string>> {
  const affiliateIds = [...new Set(rows.map(({ affiliateId }) => affiliateId))]
  if (affiliateIds.length === 0) return new Set()
  const dead = await sqlWithin(tx).query(failedOften, [programId, affiliateIds])
  return new Set(dead.map(({ affiliateId, recipient }) => `${affiliateId} ${recipient}`))
}

function runPayout({ heldBy, commissions, minimumPayoutCents, minimumPayouts, ...row }: Row): {
  payout: RunPayout
  heldBy: Row['heldBy']
} {
  const affiliate = { ...row, campaign: { minimumPayoutCents, minimumPayouts } }
  return { payout: { ...row, affiliate, _count: { commissions } }, heldBy }
}
