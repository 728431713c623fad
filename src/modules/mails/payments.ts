import { Prisma } from '../../generated/prisma/client.ts'
import { mailTexts } from '../../texts/texts.ts'
import { mailLanguage, mailLocale, type NewMail } from './compose.ts'
import type { ManagerMail } from './managers.ts'
import { type MadePayment, maskedAddress, serviceOf, writtenPayment, writtenSum } from './template-values.ts'
import { type Addressee, mailToAffiliate } from './to-affiliate.ts'

/** `isDead`: it is the third payment in a row that failed at the address, which is still that of the affiliate. */
type Row = Addressee & MadePayment & { currency: string; cents: bigint; isDead: boolean }

/** The mails about payments that were made, failed, or wait at their service to be claimed, in a period. */
export async function paymentMails(
  tx: Prisma.TransactionClient,
  scope: ManagerMail,
  from: Date,
  until: Date,
): Promise<NewMail[]> {
  const paid = await readPayouts(tx, scope.program.id, 'payout.paid', from, until)
  const failed = await readPayouts(tx, scope.program.id, 'payout.failed', from, until)
  const unclaimed = await readUnclaimed(tx, scope.program.id, from, until)
  return [
    ...paid.map((row) => mailOf(scope, 'payout_sent', row)),
    ...failed.map((row) => mailOf(scope, row.isDead ? 'payout_address_dead' : 'payout_failed', row)),
    ...unclaimed.map((row) => mailOf(scope, 'payout_unclaimed', row)),
  ]
}

function mailOf(
  scope: ManagerMail,
  kind: 'payout_sent' | 'payout_failed' | 'payout_address_dead' | 'payout_unclaimed',
  row: Row,
): NewMail {
  const language = mailLanguage(scope.program, row.language)
  const locale = mailLocale(scope.program, language)
  const values = {
    amount: writtenSum([row], scope.program, locale),
    payment: writtenPayment(row, scope.program, locale),
    service: serviceOf(row.method) ?? mailTexts[language].paymentService,
    address: row.recipient ? maskedAddress(row.recipient) : '',
  }
  return mailToAffiliate(scope, kind, row, values)
}

/** Reads the affiliate of a payout `p`, unless suspicious or without a wish for such mails. */
const addressee = Prisma.sql`
  join affiliates a on a.program_id = p.program_id and a.id = p.affiliate_id
    and a.state <> 'suspicious'
    and not exists (select from mail_choices m where m.program_id = a.program_id and m.affiliate_id = a.id and not m.gets_payout_mails)`

const addresseeColumns = Prisma.sql`a.id::text as "affiliateId", a.email, a.first_name as "firstName", a.language`

/** When it was last recorded that a payment failed. */
const failedAs = (item: Prisma.Sql) => Prisma.sql`(
  select id from payment_facts where program_id = ${item}.program_id and item_id = ${item}.id and kind = 'failed'
  order by id desc limit 1)`

/** Failed payments of the affiliate of `i` to its address since the last that was paid, up to `i`. */
const failures = Prisma.sql`(
  select count(*) from payout_run_items f
  where f.program_id = i.program_id and f.affiliate_id = i.affiliate_id and f.recipient = i.recipient and f.state = 'failed'
    and ${failedAs(Prisma.sql`f`)} <= ${failedAs(Prisma.sql`i`)}
    and not exists (select from payout_run_items o where o.program_id = f.program_id and o.affiliate_id = f.affiliate_id
      and o.recipient = f.recipient and o.state = 'paid' and o.id > f.id))`

/** Ids of events are of the database's clock, so they only bound what is looked through. */
const readPayouts = (tx: Prisma.TransactionClient, programId: string, type: string, from: Date, until: Date) =>
  tx.$queryRaw<Row[]>`
    select ${addresseeColumns}, p.currency, p.amount_cents - coalesce(payment.withheld_cents, 0) as cents,
      coalesce(p.paid_at, p.failed_at) as at, payment.method::text, payment.recipient, coalesce(p.reference, payment.reference) as reference,
      payment.reason, coalesce(payment.is_dead and payment.recipient in (a.paypal_email, a.wise_email, a.iban, a.stripe_account), false) as "isDead"
    from (
      select distinct subject_id from events
      where program_id = ${programId}::uuid and created_at >= ${from}::timestamptz and created_at < ${until}::timestamptz
        and id >= least_id(clock_timestamp() - ${String(until.getTime() - from.getTime() + 7_200_000)}::float8 * interval '1 millisecond') and type = ${type}
    ) e
      join payouts p on p.program_id = ${programId}::uuid and p.id = e.subject_id ${addressee}
      left join lateral (
        select r.method, i.recipient, coalesce(i.reference, r.reference) as reference, i.reason,
          withheld_with(i.amount_cents + i.withheld_cents, i.withheld_cents, p.amount_cents) as withheld_cents,
          i.state = 'failed' and i.recipient is not null and ${failures} = 3 as is_dead
        from payout_run_items i join payout_runs r on r.program_id = i.program_id and r.id = i.run_id
        where i.program_id = p.program_id and i.payout_id = p.id and i.state <> 'cancelled' order by i.id desc limit 1
      ) payment on true
    order by a.id, p.id`

/** Payments that became unclaimed in the period, and still are. */
const readUnclaimed = (tx: Prisma.TransactionClient, programId: string, from: Date, until: Date) =>
  tx.$queryRaw<Row[]>`
    select ${addresseeColumns}, p.currency, p.amount_cents as cents, fact.at, r.method::text, p.recipient,
      coalesce(p.reference, r.reference) as reference, p.reason, false as "isDead"
    from (
      select distinct on (item_id) item_id, coalesce(at, recorded_at) as at from payment_facts
      where program_id = ${programId}::uuid and kind = 'unclaimed'
        and id >= least_id(${from}::timestamptz) and id < least_id(${until}::timestamptz)
      order by item_id, id
    ) fact
      join payout_run_items p on p.program_id = ${programId}::uuid and p.id = fact.item_id and p.state = 'unclaimed'
      join payout_runs r on r.program_id = p.program_id and r.id = p.run_id ${addressee}
    order by a.id, p.id`
