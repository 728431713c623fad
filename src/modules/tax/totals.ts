import { statement } from '../../database/client/sql.ts'
import type { PayoutMethod, TaxForm } from '../../generated/prisma/enums.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { momentOf } from '../../kernel/time-zone.ts'
import { methods } from '../payout-methods/all.ts'
import { reportingOf, type TaxReporting } from './reporting.ts'
import { readTaxSettings } from './settings.ts'

/** What one affiliate was paid in a year, in one currency. Amounts are in minor units of it. */
export type TaxTotal = {
  affiliateId: string
  currency: string
  /** What the program paid by itself: by bank transfer, by hand, by services that report nobody. */
  paidCents: bigint
  /** What services paid that report it themselves. */
  reportedByServiceCents: bigint
  /** What the program withheld as tax, beside what it paid by itself. */
  withheldCents: bigint
  /** What the program withheld as tax, beside what services paid that report it themselves. */
  withheldBesideServiceCents: bigint
  payments: number
  /** Null if the payer is not in the United States, or the currency is not its own. */
  reporting: TaxReporting | null
}

type Row = {
  affiliateId: string
  currency: string
  method: PayoutMethod
  cents: string
  withheld: string
  payments: number
}
type ProfileRow = { affiliateId: string; form: TaxForm | null; classification: string | null }

// What was paid in the year and is not back, whenever it came back. Payouts of earlier servers have no payments: their
// own amount counts, as paid by hand.
const paidInYear = statement<Row>(`
  with gone as (
    select i.affiliate_id, i.currency, r.method, i.gone_cents as cents,
      withheld_with(i.amount_cents, i.withheld_cents, i.gone_cents) as withheld
    from payout_run_items i
      join payout_runs r on r.program_id = i.program_id and r.id = i.run_id
      join lateral (
        select max(coalesce(f.at, f.recorded_at)) as at from payment_facts f
        where f.program_id = i.program_id and f.item_id = i.id and f.kind = 'paid') paid on true
    where i.program_id = $1::uuid and i.gone_cents > 0 and paid.at >= $2::timestamptz and paid.at < $3::timestamptz
    union all
    select p.affiliate_id, p.currency, 'manual', p.amount_cents, 0 from payouts p
    where p.program_id = $1::uuid and p.paid_at >= $2::timestamptz and p.paid_at < $3::timestamptz and p.failed_at is null
      and p.amount_cents > 0
      and not exists (select from payout_run_items i
        where i.program_id = p.program_id and i.payout_id = p.id and i.gone_cents > 0 and not i.is_extra)
  )
  select affiliate_id::text as "affiliateId", currency, method::text, sum(cents)::text as cents, sum(withheld)::text as withheld, count(*)::int as payments
  from gone group by affiliate_id, currency, method order by affiliate_id, currency, method`)

const profiles = statement<ProfileRow>(`
  select affiliate_id::text as "affiliateId", form::text, form_fields ->> 'classification' as classification
  from tax_profiles where program_id = $1::uuid and replaced_at is null`)

/** A year by the calendar of the program's time zone. */
const spanOf = (year: number, timeZone: string) =>
  [momentOf(Date.UTC(year, 0), timeZone), momentOf(Date.UTC(year + 1, 0), timeZone)].map((ms) => new Date(ms))

/** What the recipients of a year were paid, by affiliate and currency, split by who reports it. */
export async function readTaxTotals({ db, program }: ProgramCtx, year: number): Promise<TaxTotal[]> {
  const rows = await db.sql.query(paidInYear, [program.id, ...spanOf(year, program.timeZone)])
  const signed = await db.sql.query(profiles, [program.id])
  const { payerCountry } = await readTaxSettings(db, program.id)
  const profileOf = new Map(signed.map((profile) => [profile.affiliateId, profile]))
  const totals = new Map<string, TaxTotal>()
  for (const { affiliateId, currency, method, cents, withheld, payments } of rows) {
    const key = `${affiliateId} ${currency}`
    const total = totals.get(key) ?? {
      affiliateId,
      currency,
      paidCents: 0n,
      reportedByServiceCents: 0n,
      withheldCents: 0n,
      withheldBesideServiceCents: 0n,
      payments: 0,
      reporting: null,
    }
    if (methods[method].reportsPayees) {
      total.reportedByServiceCents += BigInt(cents)
      total.withheldBesideServiceCents += BigInt(withheld)
    } else {
      total.paidCents += BigInt(cents)
      total.withheldCents += BigInt(withheld)
    }
    total.payments += payments
    totals.set(key, total)
  }
  const isUs = payerCountry === 'US'
  const reportingOfTotal = ({ affiliateId, paidCents, withheldCents, withheldBesideServiceCents: beside }: TaxTotal) =>
    reportingOf(paidCents + withheldCents, profileOf.get(affiliateId), year, withheldCents + beside)
  return [...totals.values()].map((total) => ({
    ...total,
    reporting: isUs && total.currency === 'usd' ? reportingOfTotal(total) : null,
  }))
}
