import { withTransaction } from '../../database/client/transaction.ts'
import { Prisma, type Program } from '../../generated/prisma/client.ts'
import type { CommissionMails } from '../../generated/prisma/enums.ts'
import type { AppDb } from '../../kernel/db.ts'
import { writtenAmount } from '../../kernel/money/written.ts'
import { clockOf } from '../programs/clock.ts'
import { preferencesUrl } from './choices.ts'
import { composeMail, mailLanguage, mailLocale, type NewMail, nameInMail, portalUrl } from './compose.ts'
import { queueMails } from './queue.ts'
import { type Stopping, unsubscribeUrl } from './unsubscribe.ts'
import { waitingMails } from './waiting.ts'

export type Notifying = { db: AppDb; now: () => Date; publicUrl: () => string; key: Buffer }

type Cadence = Exclude<CommissionMails, 'never'>
type Marks = Record<Cadence, Date>
type Addressee = {
  affiliateId: string
  email: string
  firstName: string | null
  language: string | null
  currency: string
  cents: bigint
}

const dayMs = 86_400_000
/** Longer than a transaction takes, so that rows that are not committed yet are not missed. */
const lagMs = 20_000
/** Digests are written at this hour, UTC; those of a week on Monday. */
const digestHour = 7

/**
 * Tells affiliates of new commissions, at once or as a digest, and of their payouts, and managers of applications. The
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
  const [daily, weekly] = [lastDigest(until, new Date(0), 1), lastDigest(until, new Date(0), 7)]
  return db.$queryRaw<{ id: string }[]>`
    select p.id::text from programs p left join mail_notices n on n.program_id = p.id
    where p.closed_at is null and (n.program_id is null or p.sandbox
      or exists (select from commissions where program_id = p.id and id >= least_id(n.at_once_until))
      or exists (select from payouts where program_id = p.id and updated_at >= n.at_once_until
        and (paid_at is not null or failed_at is not null))
      or n.daily_until < ${daily}::timestamptz
        and exists (select from commissions where program_id = p.id and id >= least_id(n.daily_until))
      or n.daily_until < ${daily}::timestamptz
        and exists (select from applications where program_id = p.id and state = 'applied'
          and id >= least_id(n.daily_until - interval '3 days') and confirmed_at >= n.daily_until)
      or n.weekly_until < ${weekly}::timestamptz
        and exists (select from commissions where program_id = p.id and id >= least_id(n.weekly_until)))
    order by p.id`
}

async function writeNoticesOf({ db, now, publicUrl, key }: Notifying, program: Program): Promise<void> {
  const programId = program.id
  const at = clockOf(program, now)()
  const until = new Date(at.getTime() - lagMs)
  await withTransaction(db, async (tx) => {
    // A program that has no marks yet gets them now, so that no mail is about earlier commissions.
    const begin = program.createdAt > new Date(until.getTime() - dayMs) ? program.createdAt : until
    const fresh = { programId, atOnceUntil: begin, dailyUntil: begin, weeklyUntil: begin }
    await tx.mailNotices.createMany({ data: [fresh], skipDuplicates: true })
    const [marks] = await tx.$queryRaw<Marks[]>`
      select at_once_until as at_once, daily_until as daily, weekly_until as weekly from mail_notices
      where program_id = ${programId}::uuid for update skip locked`
    if (!marks) return
    const ends: Marks = {
      at_once: until > marks.at_once ? until : marks.at_once,
      daily: lastDigest(until, marks.daily, 1),
      weekly: lastDigest(until, marks.weekly, 7),
    }
    const toMail = (kind: 'commissions_earned' | 'payout_sent' | 'payout_failed', rows: readonly Addressee[]) =>
      rows.map((row): NewMail => {
        const what: Stopping['what'] = kind === 'commissions_earned' ? 'commissions' : 'payouts'
        const { affiliateId, email: to, language } = row
        const locale = mailLocale(program, mailLanguage(program, language))
        const stop = unsubscribeUrl(publicUrl(), key, { programId, affiliateId, what })
        const values = {
          name: nameInMail(row),
          amount: writtenAmount(BigInt(row.cents), row.currency, locale),
          count: String((row as { count?: number }).count ?? 1),
          link: portalUrl(publicUrl(), program),
          preferences: preferencesUrl(publicUrl(), key, { programId, affiliateId }),
        }
        return composeMail(program, kind, { to, affiliateId, language, unsubscribeUrl: stop }, values)
      })
    for (const cadence of ['at_once', 'daily', 'weekly'] as const) {
      if (ends[cadence] <= marks[cadence]) continue
      const earned = await readEarned(tx, programId, cadence, marks[cadence], ends[cadence])
      await queueMails(tx, { program }, toMail('commissions_earned', earned), at)
    }
    for (const [type, kind] of [
      ['payout.paid', 'payout_sent'],
      ['payout.failed', 'payout_failed'],
    ] as const) {
      const payouts = await readPayouts(tx, programId, type, marks.at_once, ends.at_once)
      await queueMails(tx, { program }, toMail(kind, payouts), at)
    }
    if (ends.daily > marks.daily) {
      const scope = { program, publicUrl: publicUrl() }
      await queueMails(tx, { program }, await waitingMails(tx, scope, marks.daily, ends.daily), at)
    }
    const data = { atOnceUntil: ends.at_once, dailyUntil: ends.daily, weeklyUntil: ends.weekly }
    await tx.mailNotices.update({ where: { programId }, data })
  })
}

/** The latest time of a digest, if it is after the last one. @param days 7: on Mondays */
function lastDigest(until: Date, last: Date, days: 1 | 7): Date {
  const hours = digestHour * 3_600_000
  let day = Math.floor((until.getTime() - hours) / dayMs)
  // Day 4 since the epoch was a Monday.
  if (days === 7) day -= (((day - 4) % 7) + 7) % 7
  const digest = new Date(day * dayMs + hours)
  return digest > last ? digest : last
}

/** Ids are made from the time of creation, so a range of them is a range of time. */
const between = (from: Date, until: Date) =>
  Prisma.sql`>= least_id(${from}::timestamptz) and id < least_id(${until}::timestamptz)`

/** Commissions that are neither void nor held, by affiliate and currency. */
const readEarned = (tx: Prisma.TransactionClient, programId: string, cadence: Cadence, from: Date, until: Date) =>
  tx.$queryRaw<(Addressee & { count: number })[]>`
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

/** Ids of events are of the database's clock, so they only bound what is looked through. */
const readPayouts = (tx: Prisma.TransactionClient, programId: string, type: string, from: Date, until: Date) =>
  tx.$queryRaw<Addressee[]>`
    select a.id::text as "affiliateId", a.email, a.first_name as "firstName", a.language, p.currency, p.amount_cents as cents
    from (
      select distinct subject_id from events
      where program_id = ${programId}::uuid and created_at >= ${from}::timestamptz and created_at < ${until}::timestamptz
        and id >= least_id(clock_timestamp() - ${String(until.getTime() - from.getTime() + (2 * dayMs) / 24)}::float8 * interval '1 millisecond') and type = ${type}
    ) e
      join payouts p on p.program_id = ${programId}::uuid and p.id = e.subject_id
      join affiliates a on a.program_id = p.program_id and a.id = p.affiliate_id
      left join mail_choices m on m.program_id = a.program_id and m.affiliate_id = a.id
    where a.state = 'active' and coalesce(m.payouts, true)
    order by a.id, p.id`
