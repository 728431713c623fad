import { sqlWithin, statement } from '../../../database/client/sql.ts'
import type { Prisma } from '../../../generated/prisma/client.ts'
import { isId } from '../../../kernel/ids.ts'
import type { Minimums } from '../../campaigns/minimum-payouts.ts'
import { openPayout } from '../due.ts'
import { openItem } from '../open-runs.ts'
import type { RunPayout } from './file.ts'

type Row = Omit<RunPayout, 'affiliate' | '_count'> &
  Omit<RunPayout['affiliate'], 'campaign'> &
  Minimums & { commissions: number; inRun: boolean }

const pageOf = (condition: string) =>
  statement<Row>(`
    select p.program_id::text as "programId", p.id::text, p.affiliate_id::text as "affiliateId", p.currency, p.amount_cents as "amountCents",
      p.paid_at as "paidAt", p.failed_at as "failedAt", p.reference, p.created_at as "createdAt",
      a.email, a.first_name as "firstName", a.last_name as "lastName", a.wallet_a_email as "walletAEmail", a.wallet_b_email as "walletBEmail",
      a.iban, a.bic, a.recipient_type::text as "recipientType", a.preferred_payout_method::text as "preferredPayoutMethod", a.payouts_held_until as "payoutsHeldUntil",
      c.minimum_payout_cents as "minimumPayoutCents", c.minimum_payouts as "minimumPayouts",
      case when $4::boolean then (select count(*) from commissions m where m.program_id = p.program_id and m.payout_id = p.id) else 0 end::int as commissions,
      exists (select from payout_run_items item where item.program_id = p.program_id and item.payout_id = p.id and item.${openItem.sql}) as "inRun"
    from (select * from payouts where program_id = $1::uuid and id > $2::uuid and ${condition} order by id limit $5::int) p
      join affiliates a on a.program_id = p.program_id and a.id = p.affiliate_id
      join campaigns c on c.program_id = a.program_id and c.id = a.campaign_id
    order by p.id`)
const named = pageOf('id = any($3::uuid[])')
const open = pageOf(`currency = $3::text and ${openPayout.sql}`)

const leastId = '00000000-0000-0000-0000-000000000000'

/** Which payouts a run is made of: those with these ids, or all open ones in a currency. */
export type Chosen = { payoutIds: string[] } | { currency: string }

/**
 * Reads payouts page by page, oldest first, in one statement each: Prisma takes several times as long for as many rows.
 * @param isCounted whether the file has the number of commissions
 */
export async function* payoutPages(
  tx: Prisma.TransactionClient,
  programId: string,
  chosen: Chosen,
  { isCounted, size }: { isCounted: boolean; size: number },
): AsyncGenerator<{ payout: RunPayout; inRun: boolean }[]> {
  for (let after = leastId; ; ) {
    const [read, which] = 'currency' in chosen ? [open, chosen.currency] : [named, chosen.payoutIds.filter(isId)]
    const rows = await sqlWithin(tx).query(read, [programId, after, which, isCounted, size])
    yield rows.map(runPayout)
    const last = rows.at(-1)
    if (!last || rows.length < size) return
    after = last.id
  }
}

function runPayout({ inRun, commissions, minimumPayoutCents, minimumPayouts, ...row }: Row): {
  payout: RunPayout
  inRun: boolean
} {
  const affiliate = { ...row, campaign: { minimumPayoutCents, minimumPayouts } }
  return { payout: { ...row, affiliate, _count: { commissions } }, inRun }
}
