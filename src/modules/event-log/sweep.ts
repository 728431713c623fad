import type { Logger } from 'pino'
import { withTransaction } from '../../database/client/transaction.ts'
import { Prisma, type Program } from '../../generated/prisma/client.ts'
import type { AppDb } from '../../kernel/db.ts'
import { commissions } from '../../resources/commissions.ts'
import { eventsOf, recordEvents } from '../events/record.ts'
import { openPayout } from '../payouts/due.ts'
import { lockAffiliates, settleOpenPayouts } from '../payouts/settle.ts'
import { clockOf } from '../programs/clock.ts'

const batchSize = 500

/** Longer than a transaction takes, so that rows that are not committed yet are not missed. */
const lagMs = 20_000

const isDue = (at: Date | Prisma.Sql) => commissions.states.sql('due', at)

type Sweep = { db: AppDb; now: () => Date; log?: Logger }

/**
 * Records what follows from the clock alone: due commissions, their payouts, and expired referrals. Any number of
 * instances may run it: rows are marked in the transaction that records the event, so each is recorded once.
 */
export async function sweepClock(sweep: Sweep): Promise<void> {
  for (const program of await programsWithNewlyDue(sweep)) while (await sweepDueCommissions(sweep, program));
  for (const program of await programsWithExpired(sweep)) while (await sweepExpiredReferrals(sweep, program));
}

/** Records the referrals that have expired, before an import adds expired ones, which get no event. */
export async function sweepBeforeImport(sweep: Sweep, programId: string): Promise<void> {
  for (const recorder of await recordersOf(sweep, [{ id: programId }])) {
    const until = new Date(recorder.now().getTime() - lagMs)
    while (await sweepExpiredReferrals(sweep, recorder));
    await passOverReferrals(sweep.db, programId, until)
  }
}

/** Marks what is due or expired as seen, without events: for a program that was filled with past data. */
export async function skipClockEvents(tx: Prisma.TransactionClient, programId: string, now: Date): Promise<void> {
  const program = Prisma.sql`program_id = ${programId}::uuid`
  await tx.$executeRaw`
    update commissions set due_noted_at = ${now}::timestamptz
    where ${program} and ${isDue(now)}`
  await tx.$executeRaw`update payouts set due_noted_at = ${now}::timestamptz where ${program} and ${openPayout}`
  await passOverReferrals(tx, programId, now)
}

/** Referrals that expired before this time get no event, unless it was already recorded. */
const passOverReferrals = (db: Pick<AppDb, '$executeRaw'>, programId: string, until: Date): Promise<number> =>
  db.$executeRaw`
    insert into event_sweeps as known (program_id, referrals_expired_until) values (${programId}::uuid, ${until}::timestamptz)
    on conflict (program_id) do update
      set referrals_expired_until = greatest(known.referrals_expired_until, excluded.referrals_expired_until)`

/** The programs of the ids that are not closed, each as a recorder with its own clock. */
async function recordersOf({ db, now }: Sweep, ids: readonly { id: string }[]) {
  const programs = await db.program.findMany({ where: { id: { in: ids.map(({ id }) => id) }, closedAt: null } })
  return programs.map((program: Program) => ({
    program,
    now: clockOf(program, now),
    actor: { kind: 'system' } as const,
    requestId: 'clock',
  }))
}

type ProgramRecorder = Awaited<ReturnType<typeof recordersOf>>[number]

async function programsWithNewlyDue(sweep: Sweep): Promise<ProgramRecorder[]> {
  const now = sweep.now()
  const ids = await sweep.db.$queryRaw<{ id: string }[]>`
    select distinct program_id::text as id from commissions
    where due_noted_at is null and ${isDue(now)}
    union
    select p.id::text from programs p
    where p.clock_advanced_by_days > 0 and exists (
      select from commissions
      where program_id = p.id and due_noted_at is null and ${isDue(Prisma.sql`${now}::timestamptz + p.clock_advanced_by_days * interval '24 hours'`)})`
  return recordersOf(sweep, ids)
}

/** Records a batch of commissions that became due, and collects them. Returns whether more may follow. */
async function sweepDueCommissions({ db, log }: Sweep, recorder: ProgramRecorder): Promise<boolean> {
  const programId = recorder.program.id
  const found = await db.$queryRaw<{ affiliateId: string }[]>`
    select affiliate_id::text as "affiliateId" from commissions
    where program_id = ${programId}::uuid and due_noted_at is null and ${isDue(recorder.now())}
    order by due_at limit ${batchSize}`
  if (found.length === 0) return false
  const affiliateIds = [...new Set(found.map(({ affiliateId }) => affiliateId))]
  const run = async (tx: Prisma.TransactionClient) => {
    await lockAffiliates(tx, programId, affiliateIds)
    const now = recorder.now()
    const due = await tx.$queryRaw<{ id: string }[]>`
      update commissions set due_noted_at = ${now}::timestamptz
      where program_id = ${programId}::uuid and due_noted_at is null and ${isDue(now)}
        and id in (
          select id from commissions
          where program_id = ${programId}::uuid and affiliate_id = any(${affiliateIds}::uuid[])
            and due_noted_at is null and ${isDue(now)}
          order by due_at limit ${batchSize})
      returning id::text`
    const events = due.flatMap(({ id }) => eventsOf(id, ['commission.updated', 'tributary.commission.due']))
    await recordEvents(tx, recorder, events, now)
    await settleOpenPayouts(tx, recorder, affiliateIds, now)
  }
  await withTransaction(db, run, log ? { log } : {})
  return found.length === batchSize
}

/** A program without a row here has been swept until its creation. */
const sweptUntil = Prisma.sql`coalesce((select referrals_expired_until from event_sweeps where program_id = p.id), p.created_at)`

async function programsWithExpired(sweep: Sweep): Promise<ProgramRecorder[]> {
  const until = new Date(sweep.now().getTime() - lagMs)
  const ids = await sweep.db.$queryRaw<{ id: string }[]>`
    select p.id::text from programs p where exists (
      select from referrals r
      where r.program_id = p.id and r.became_conversion_at is null and r.expires_at > ${sweptUntil}
        and r.expires_at <= ${until}::timestamptz + p.clock_advanced_by_days * interval '24 hours')`
  return recordersOf(sweep, ids)
}

/** Records a batch of expired referrals, those of one moment together. Returns whether more may follow. */
async function sweepExpiredReferrals({ db, log }: Sweep, recorder: ProgramRecorder): Promise<boolean> {
  const { id: programId, createdAt } = recorder.program
  const run = async (tx: Prisma.TransactionClient) => {
    await tx.eventSweep.createMany({ data: [{ programId, referralsExpiredUntil: createdAt }], skipDuplicates: true })
    const [row] = await tx.$queryRaw<[{ from: Date }]>`
      select referrals_expired_until as from from event_sweeps where program_id = ${programId}::uuid for update`
    const now = recorder.now()
    const within = Prisma.sql`program_id = ${programId}::uuid and became_conversion_at is null
      and expires_at > ${row.from}::timestamptz and expires_at <= ${new Date(now.getTime() - lagMs)}::timestamptz`
    const expired = await tx.$queryRaw<{ id: string; expiresAt: Date }[]>`
      select id::text, expires_at as "expiresAt" from referrals
      where ${within} and expires_at <= (
        select max(expires_at) from (select expires_at from referrals where ${within} order by expires_at limit ${batchSize}) first)
      order by expires_at, id for no key update`
    const last = expired.at(-1)
    if (!last) return false
    const events = expired.flatMap(({ id }) => eventsOf(id, ['tributary.referral.expired']))
    await recordEvents(tx, recorder, events, now)
    await tx.eventSweep.update({ where: { programId }, data: { referralsExpiredUntil: last.expiresAt } })
    return expired.length >= batchSize
  }
  return withTransaction(db, run, log ? { log } : {})
}
