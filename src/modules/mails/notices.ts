import { withTransaction } from '../../database/client/transaction.ts'
import { Prisma, type Program } from '../../generated/prisma/client.ts'
import type { CommissionMails } from '../../generated/prisma/enums.ts'
import type { AppDb } from '../../kernel/db.ts'
import { groupBy } from '../../kernel/group-by.ts'
import type { PublicUrl } from '../../kernel/public-url.ts'
import { dayMs, localOf, momentOf } from '../../kernel/time-zone.ts'
import { clockOf } from '../programs/clock.ts'
import { hasClosedMonths, writeClosedMonths } from './closed-months.ts'
import { mailLanguage, mailLocale } from './compose.ts'
import { hasFailures, writeFailures } from './failing.ts'
import { paymentMails } from './payments.ts'
import { queueMails } from './queue.ts'
import { mayHaveRewardNews, writeRewardNews } from './rewards.ts'
import { monthOf, readStatements } from './statements.ts'
import { writtenMonth, writtenSum } from './template-values.ts'
import { hasTermsToAnnounce, writeTermsMails } from './terms.ts'
import { type Addressee, mailToAffiliate } from './to-affiliate.ts'
import { newlyWaiting, waitingMails } from './waiting.ts'

export type Notifying = { db: AppDb; now: () => Date; publicUrl: PublicUrl; key: Buffer }

type Cadence = Exclude<CommissionMails, 'never'>
type Marks = Record<Cadence, Date> & { monthly: Date | null }
type Sum = Addressee & { currency: string; cents: bigint }
type Earned = Sum & { count: number }

/** Longer than a transaction takes, so that rows that are not committed yet are not missed. */
const lagMs = 20_000
/** Digests and statements are written at this hour in the program's time zone; those of a week on Monday. */
const digestHour = 7
const digestMs = digestHour * 3_600_000

/**
 * Writes the mails that follow from what happened, or from the clock: to affiliates about commissions, payouts, months,
 * terms and what they earn, to managers about what waits for them and what fails. The
 * mails are written in the transaction that moves the mark of the program, so each is written once, whichever instance
 * does it.
 */
export async function writeNotices(notifying: Notifying): Promise<void> {
  const until = new Date(notifying.now().getTime() - lagMs)
  const ids = (await findPrograms(notifying.db, until)).map(({ id }) => id)
  const programs = ids.length === 0 ? [] : await notifying.db.program.findMany({ where: { id: { in: ids } } })
  for (const program of programs) await writeNoticesOf(notifying, program)
}

/**
 * Programs with something to tell, or without marks, in one statement: most programs have nothing new. A sandbox has a
 * clock of its own, so each is looked at.
 */
const findPrograms = (db: AppDb, until: Date) => {
  const digest = (
    unit: 'day' | 'week',
  ) => Prisma.sql`((date_trunc(${unit}, (${until}::timestamptz at time zone p.time_zone) - interval '7 hours')
    + interval '7 hours') at time zone p.time_zone)`
  const [daily, weekly] = [digest('day'), digest('week')]
  return db.$queryRaw<{ id: string }[]>`
    select p.id::text from programs p left join mail_notices n on n.program_id = p.id
    where p.closed_at is null and (n.program_id is null or p.is_sandbox
      or exists (select from commissions where program_id = p.id and id >= least_id(n.at_once_until))
      or exists (select from payouts where program_id = p.id and updated_at >= n.at_once_until
        and (paid_at is not null or failed_at is not null))
      or exists (select from payment_facts where program_id = p.id and id >= least_id(n.at_once_until) and kind = 'unclaimed')
      or n.daily_until < ${daily}
        and exists (select from commissions where program_id = p.id and id >= least_id(n.daily_until))
      or n.daily_until < ${daily} and ${newlyWaiting(Prisma.sql`n.daily_until`, daily, until)}
      or n.weekly_until < ${weekly}
        and exists (select from commissions where program_id = p.id and id >= least_id(n.weekly_until))
      or n.monthly_until is null
      or n.monthly_until < date_trunc('month', ${new Date(until.getTime() - digestMs)}::timestamptz at time zone p.time_zone)::date and (
        exists (select from commissions where program_id = p.id and id >= least_id(n.monthly_until::timestamp at time zone p.time_zone))
        or exists (select from affiliates where program_id = p.id and due_cents > 0)
        or exists (select from payouts where program_id = p.id and paid_at is not null
          and updated_at >= n.monthly_until::timestamp at time zone p.time_zone))
      or ${hasClosedMonths} or ${hasFailures(until)} or ${hasTermsToAnnounce(until)} or ${mayHaveRewardNews(until)})
    order by p.id`
}

async function writeNoticesOf({ db, now, publicUrl, key }: Notifying, program: Program): Promise<void> {
  const programId = program.id
  const at = clockOf(program, now)()
  const until = new Date(at.getTime() - lagMs)
  await withTransaction(db, async (tx) => {
    // A program that has no marks yet gets them now, so that no mail is about earlier commissions.
    const begin = program.createdAt > new Date(until.getTime() - dayMs) ? program.createdAt : until
    const since = { atOnceUntil: begin, dailyUntil: begin, weeklyUntil: begin, monthlyUntil: monthOf(begin, program) }
    await tx.mailNotices.createMany({ data: [{ programId, ...since }], skipDuplicates: true })
    const [marks] = await tx.$queryRaw<Marks[]>`
      select at_once_until as at_once, daily_until as daily, weekly_until as weekly, monthly_until as monthly from mail_notices
      where program_id = ${programId}::uuid for update skip locked`
    if (!marks) return
    const ends: Record<Cadence, Date> = {
      at_once: until > marks.at_once ? until : marks.at_once,
      daily: lastDigest(until, program, marks.daily, 1),
      weekly: lastDigest(until, program, marks.weekly, 7),
    }
    const scope = { program, publicUrl: publicUrl(), key }
    const toAffiliates = { ...scope, publicUrl: publicUrl(program) }
    const localeOf = ({ language }: Addressee) => mailLocale(program, mailLanguage(program, language))
    for (const cadence of ['at_once', 'daily', 'weekly'] as const) {
      if (ends[cadence] <= marks[cadence]) continue
      const earned = await readEarned(tx, programId, cadence, marks[cadence], ends[cadence])
      // One mail for all currencies.
      const mails = [...groupBy(earned, ({ affiliateId }) => affiliateId).values()].map((sums) => {
        const [row] = sums as [Earned]
        const count = sums.reduce((total, one) => total + one.count, 0)
        const values = { amount: writtenSum(sums, program, localeOf(row)), count: String(count) }
        return mailToAffiliate(toAffiliates, 'commissions_earned', row, values)
      })
      await queueMails(tx, { program }, mails, at)
    }
    const payments = await paymentMails(tx, toAffiliates, marks.at_once, ends.at_once)
    await queueMails(tx, { program }, payments, at)
    if (ends.daily > marks.daily)
      await queueMails(tx, { program }, await waitingMails(tx, scope, marks.daily, ends.daily), at)
    await writeFailures(tx, scope, until)
    const month = monthOf(new Date(until.getTime() - digestMs), program)
    if (marks.monthly && month > marks.monthly) {
      const statements = await readStatements(tx, program, [marks.monthly, month], until)
      const mails = statements.map(({ month: of, earned, paid, due, ...row }) => {
        const values = { month: writtenMonth(of, localeOf(row)), earned, paid, due }
        return mailToAffiliate(toAffiliates, 'monthly_statement', row, values)
      })
      await queueMails(tx, { program }, mails, at)
    }
    const monthlyUntil = marks.monthly && marks.monthly > month ? marks.monthly : month
    const data = { atOnceUntil: ends.at_once, dailyUntil: ends.daily, weeklyUntil: ends.weekly, monthlyUntil }
    await tx.mailNotices.update({ where: { programId }, data })
  })
  const writing = { program, publicUrl: publicUrl(program), key, now: at }
  await writeTermsMails(db, writing)
  await writeClosedMonths(db, writing)
  await writeRewardNews(db, writing, until)
}

/** The latest time of a digest, if it is after the last one. @param days 7: on Mondays */
function lastDigest(until: Date, { timeZone }: Pick<Program, 'timeZone'>, last: Date, days: 1 | 7): Date {
  let day = Math.floor((localOf(until.getTime(), timeZone) - digestMs) / dayMs)
  // Day 4 since the epoch was a Monday.
  if (days === 7) day -= (((day - 4) % 7) + 7) % 7
  const digest = new Date(momentOf(day * dayMs + digestMs, timeZone))
  return digest > last ? digest : last
}

/** Ids are made from the time of creation, so a range of them is a range of time. */
const between = (from: Date, until: Date) =>
  Prisma.sql`>= least_id(${from}::timestamptz) and id < least_id(${until}::timestamptz)`

/** Commissions that are neither void nor held, by affiliate and currency. */
const readEarned = (tx: Prisma.TransactionClient, programId: string, cadence: Cadence, from: Date, until: Date) =>
  tx.$queryRaw<Earned[]>`
    select a.id::text as "affiliateId", a.email, a.first_name as "firstName", a.language, c.currency, c.cents, c.count
    from (
      select affiliate_id, currency, sum(amount_cents)::bigint as cents, count(*)::int as count from commissions
      where program_id = ${programId}::uuid and id ${between(from, until)} and voided_at is null and held_reason is null
      group by affiliate_id, currency
    ) c
      join affiliates a on a.program_id = ${programId}::uuid and a.id = c.affiliate_id
      left join mail_choices m on m.program_id = a.program_id and m.affiliate_id = a.id
    where a.state = 'active' and a.receive_new_commission_notifications and c.cents > 0
      and coalesce(m.commissions, 'daily') = ${cadence}::commission_mails
    order by a.id, c.currency`
