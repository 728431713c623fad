import { Prisma } from '../../generated/prisma/client.ts'
import { mintId } from '../../kernel/ids.ts'
import { eventsOf, recordEvents } from '../events/record.ts'
import { type Recorder, recordChanges } from '../history/record.ts'
import { dueCommissions, dueGroups, openPayout } from './due.ts'
import { openItemOf } from './open-runs.ts'

/**
 * Whether an open run pays the payout. One whose commissions are debts by now is open to others, which may settle them.
 */
const isFixed = Prisma.sql`exists (
    select from payout_run_items item where ${openItemOf('payouts')})
  and (select sum(inside.amount_cents) >= 0 from commissions inside
    where inside.program_id = payouts.program_id and inside.payout_id = payouts.id)`

/**
 * Whether a payout has commissions, looked up for each payout: by a join, the planner may read all commissions of the
 * program for a hundred payouts.
 */
const hasCommissions = (row: string): Prisma.Sql =>
  Prisma.raw(`coalesce((
    select true from commissions inside where inside.program_id = ${row}.program_id and inside.payout_id = ${row}.id limit 1
  ), false)`)

/**
 * Every transaction that changes existing commissions or payouts takes this lock of their affiliate first, so such
 * changes are serialized.
 */
export async function lockAffiliates(tx: Prisma.TransactionClient, programId: string, ids: string[]): Promise<void> {
  await tx.$queryRaw`
    select 1 from affiliates where program_id = ${programId}::uuid and id = any(${ids}::uuid[]) order by id for no key update`
}

/**
 * Recalculates the open payouts of these affiliates: one for each currency with due commissions, of their sum. A
 * negative sum is carried forward, and an empty payout is deleted. A payout in an open run collects nothing more: what
 * is due since waits for the next payout. Changes are recorded in history and events. The caller holds the locks of the
 * affiliates.
 */
export async function settleOpenPayouts(
  tx: Prisma.TransactionClient,
  ctx: Recorder,
  affiliateIds: string[],
  now: Date,
): Promise<void> {
  const programId = ctx.program.id
  const program = Prisma.sql`${programId}::uuid`
  const ofAffiliates = Prisma.sql`program_id = ${program} and affiliate_id = any(${affiliateIds}::uuid[])`
  const due = dueCommissions(ofAffiliates, now)
  const groups = Prisma.sql`select affiliate_id, currency from (${dueGroups}) sums where amount_cents >= 0`
  const open = Prisma.sql`select id, affiliate_id, currency, ${isFixed} as is_fixed from payouts where ${ofAffiliates} and ${openPayout}`

  const missing = await tx.$queryRaw<{ affiliate_id: string; currency: string }[]>`
    with due as (${due}), payable as (${groups}), open as (${open})
    select affiliate_id::text, currency from payable left join open using (affiliate_id, currency) where open.id is null`
  const opened = missing.map(({ affiliate_id: affiliateId, currency }) => {
    return { programId, id: mintId(now), affiliateId, currency, amountCents: 0n, createdAt: now, updatedAt: now }
  })
  await tx.payout.createMany({ data: opened })
  await tx.$executeRaw`
    with due as (${due}), payable as (${groups}), open as (${open}),
    target as (
      select due.id, case when due.fits and payable.currency is not null then open.id end as payout_id
      from due left join payable using (affiliate_id, currency) left join open using (affiliate_id, currency)
      where open.is_fixed is not true
    )
    update commissions set payout_id = target.payout_id
    from target
    where commissions.program_id = ${program} and commissions.id = target.id
      and commissions.payout_id is distinct from target.payout_id`
  const changed = await tx.$queryRaw<{ id: string; before: bigint; total: bigint }[]>`
    update payouts set amount_cents = sums.total, updated_at = ${now}::timestamptz
    from (
      select id, amount_cents as before, (
        select sum(amount_cents)::bigint from commissions
        where commissions.program_id = ${program} and commissions.payout_id = payouts.id
      ) as total
      from payouts where ${ofAffiliates} and ${openPayout}
    ) sums
    where payouts.program_id = ${program} and payouts.id = sums.id and sums.total <> sums.before
    returning payouts.id::text, sums.before, sums.total`
  const closed = await tx.$queryRaw<{ id: string; affiliateId: string; currency: string; amountCents: bigint }[]>`
    select id::text, affiliate_id::text as "affiliateId", currency, amount_cents as "amountCents"
    from payouts where ${ofAffiliates} and ${openPayout}
      and not ${hasCommissions('payouts')}`

  const totals = new Map(changed.map(({ id, total }) => [id, total]))
  const isNew = new Set(opened.map(({ id }) => id))
  const payout = { subject: 'payout' } as const
  const changes = [
    ...opened.map(({ id, affiliateId, currency }) => {
      const after = { affiliateId, currency, amountCents: totals.get(id) ?? 0n }
      return { ...payout, subjectId: id, action: 'opened' as const, before: null, after }
    }),
    ...changed
      .filter(({ id }) => !isNew.has(id))
      .map(({ id, before, total }) => {
        const [from, to] = [{ amountCents: before }, { amountCents: total }]
        return { ...payout, subjectId: id, action: 'amount_changed' as const, before: from, after: to }
      }),
    ...closed.map(({ id, ...before }) => ({
      ...payout,
      subjectId: id,
      action: 'closed' as const,
      before,
      after: null,
    })),
  ]
  await recordChanges(tx, ctx, changes, now)
  const newlyDue = await noteDuePayouts(tx, ofAffiliates, now)
  const events = [
    ...opened.flatMap(({ id }) => eventsOf(id, ['payout.created'])),
    ...changed.filter(({ id }) => !isNew.has(id)).flatMap(({ id }) => eventsOf(id, ['payout.updated'])),
    ...closed.flatMap(({ id }) => eventsOf(id, ['payout.deleted'])),
    ...newlyDue.flatMap((id) =>
      eventsOf(id, isNew.has(id) || totals.has(id) ? ['payout.due'] : ['payout.updated', 'payout.due']),
    ),
  ]
  await recordEvents(tx, ctx, events, now)
  const empty = closed.map(({ id }) => id)
  if (empty.length > 0) await tx.payout.deleteMany({ where: { programId, id: { in: empty } } })
}

/** Notes which open payouts have reached their minimum, and which are below it again. Returns the ids of the former. */
async function noteDuePayouts(tx: Prisma.TransactionClient, whose: Prisma.Sql, now: Date): Promise<string[]> {
  const noted = await tx.$queryRaw<{ id: string; isDue: boolean }[]>`
    update payouts set due_noted_at = case when open.is_due then ${now}::timestamptz end
    from (
      select p.program_id, p.id, p.amount_cents >= minimum_payout(c, p.currency) as is_due
      from (select * from payouts where ${whose} and ${openPayout}) p
        join affiliates a on a.program_id = p.program_id and a.id = p.affiliate_id
        join campaigns c on c.program_id = a.program_id and c.id = a.campaign_id
      where ${hasCommissions('p')}
    ) open
    where payouts.program_id = open.program_id and payouts.id = open.id and (payouts.due_noted_at is not null) <> open.is_due
    returning payouts.id::text, open.is_due as "isDue"`
  return noted.filter(({ isDue }) => isDue).map(({ id }) => id)
}
