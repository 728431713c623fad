import { Prisma } from '../generated/prisma/client.ts'
import { mintId } from '../ids.ts'
import { dueCommissions, dueGroups } from './due.ts'

/** Every change of commissions and payouts that exist holds this lock of their affiliate, so that such changes happen in turn. */
export async function lockAffiliates(tx: Prisma.TransactionClient, programId: string, ids: string[]): Promise<void> {
  await tx.$queryRaw`
    select 1 from affiliates where program_id = ${programId}::uuid and id = any(${ids}::uuid[]) order by id for no key update`
}

/**
 * Makes the open payouts of these affiliates what they are to be: one for each currency in which due commissions are
 * unpaid, its amount their sum. Where the sum is negative there is none (the debt waits for later commissions), and
 * where nothing is left the payout disappears. The caller holds the affiliates' locks.
 */
export async function settleOpenPayouts(
  tx: Prisma.TransactionClient,
  programId: string,
  affiliateIds: string[],
  now: Date,
): Promise<void> {
  const program = Prisma.sql`${programId}::uuid`
  const theirs = Prisma.sql`program_id = ${program} and affiliate_id = any(${affiliateIds}::uuid[])`
  const due = dueCommissions(theirs, now)
  const payable = Prisma.sql`select affiliate_id, currency from (${dueGroups}) groups where amount_cents >= 0`
  const open = Prisma.sql`select id, affiliate_id, currency from payouts where ${theirs} and paid_at is null`

  const missing = await tx.$queryRaw<{ affiliate_id: string; currency: string }[]>`
    with due as (${due}), payable as (${payable}), open as (${open})
    select affiliate_id::text, currency from payable left join open using (affiliate_id, currency) where open.id is null`
  await tx.payout.createMany({
    data: missing.map(({ affiliate_id: affiliateId, currency }) => {
      return { programId, id: mintId(now), affiliateId, currency, amountCents: 0n, createdAt: now, updatedAt: now }
    }),
  })
  await tx.$executeRaw`
    with due as (${due}), payable as (${payable}), open as (${open}),
    target as (
      select due.id, case when due.fits and payable.currency is not null then open.id end as payout_id
      from due left join payable using (affiliate_id, currency) left join open using (affiliate_id, currency)
    )
    update commissions set payout_id = target.payout_id
    from target
    where commissions.program_id = ${program} and commissions.id = target.id
      and commissions.payout_id is distinct from target.payout_id`
  await tx.$executeRaw`
    update payouts set amount_cents = held.total, updated_at = ${now}::timestamptz
    from (select payout_id, sum(amount_cents) as total from commissions where ${theirs} and paid_at is null group by payout_id) held
    where payouts.program_id = ${program} and payouts.id = held.payout_id and payouts.paid_at is null
      and payouts.amount_cents <> held.total`
  await tx.$executeRaw`
    delete from payouts where ${theirs} and paid_at is null
      and not exists (select 1 from commissions where commissions.program_id = ${program} and commissions.payout_id = payouts.id)`
}
