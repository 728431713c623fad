import type { Logger } from 'pino'
import { withTransaction } from '../../database/client/transaction.ts'
import { repeatInBackground } from '../../database/upkeep/background.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import type { Ctx } from '../../kernel/context.ts'
import type { AppDb } from '../../kernel/db.ts'
import { notFound, refused } from '../../kernel/errors.ts'
import { isId } from '../../kernel/ids.ts'
import { cheapInvariants, type Invariant } from './invariants.ts'
import type { Finding } from './service.ts'

export type DataCheck = { checkedAt: Date; checked: number; unchecked: number; findings: Finding[] }

/** How long one invariant may take. One that takes longer is left to the whole doctor. */
const mostMsOfOne = 3_000
/** After this time no further invariant is begun. */
const mostMsOfAll = 15_000
const mostFindings = 100

const minute = 60_000
const day = 24 * 60 * minute
/** A check that was begun and did not end by then belongs to an instance that is gone. */
const leaseMs = 10 * minute
const sweepEveryMs = 10 * minute
/** How many programs one sweep checks at least; else a hundredth, so that the 144 sweeps of a day check all. */
const leastProgramsPerSweep = 20

type Stored = { invariant: string; id: string; detail: string }

/** The last check of the program's data. Null before the first. */
export async function readDataCheck({ db }: Pick<Ctx, 'db'>, programId: string): Promise<DataCheck | null> {
  const row = await db.dataCheck.findUnique({ where: { programId } })
  if (!row?.checkedAt) return null
  const findings = (row.findings as Stored[]).flatMap(({ invariant: name, ...finding }) => {
    const invariant = cheapInvariants.find((known) => known.name === name)
    return invariant ? { ...finding, invariant, programId: row.programId } : []
  })
  return { checkedAt: row.checkedAt, checked: row.checked, unchecked: row.unchecked, findings }
}

/** Checks money and attribution. @throws NOT_FOUND; REFUSED if a check under a minute ago has no result yet */
export async function checkData({ db }: Pick<Ctx, 'db'>, programId: string, now: Date): Promise<DataCheck> {
  const where = { id: programId, deletedAt: null }
  if (!isId(programId) || !(await db.program.findUnique({ where, select: { id: true } })))
    throw notFound('Program', programId)
  if (await claim(db, programId, now, new Date(now.getTime() - minute))) await check(db, programId, now)
  const result = await readDataCheck({ db }, programId)
  if (!result) throw refused('The data is being checked. Look again in a minute.')
  return result
}

/** Checks the programs that were not checked for a day, each on one instance. */
export async function checkDataDaily(db: AppDb, now: Date, isStopped = () => false): Promise<void> {
  const [dayAgo, leaseEnd] = [new Date(now.getTime() - day), new Date(now.getTime() - leaseMs)]
  const due = await db.$queryRaw<{ id: string }[]>`
    select p.id from programs p left join data_checks c on c.program_id = p.id
    where p.deleted_at is null and (c.program_id is null
      or c.claimed_at <= ${leaseEnd}::timestamptz and (c.checked_at is null or c.checked_at <= ${dayAgo}::timestamptz))
    order by c.checked_at nulls first limit (select greatest(${leastProgramsPerSweep}::bigint, count(*) / 100) from programs)`
  for (const { id } of due) {
    if (isStopped()) return
    if (await claim(db, id, now, leaseEnd)) await check(db, id, now, isStopped)
  }
}

export const checkDataInBackground = (db: AppDb, now: () => Date, log: Logger): (() => Promise<void>) =>
  repeatInBackground((isStopped) => checkDataDaily(db, now(), isStopped), {
    everyMs: sweepEveryMs,
    log,
    failureMessage: 'could not check the data',
  })

/** Whether no check began after `since`: if several instances ask, one gets true. */
async function claim(db: AppDb, programId: string, now: Date, since: Date): Promise<boolean> {
  const claimed = await db.$executeRaw`
    insert into data_checks as known (program_id, claimed_at, checked, unchecked, findings)
    select id, ${now}::timestamptz, 0, 0, '[]' from programs where id = ${programId}::uuid and deleted_at is null
    on conflict (program_id) do update set claimed_at = excluded.claimed_at
      where known.claimed_at <= ${since}::timestamptz`
  return claimed > 0
}

async function check(db: AppDb, programId: string, now: Date, isStopped = () => false): Promise<void> {
  const beganAt = performance.now()
  const findings: Stored[] = []
  let checked = 0
  for (const invariant of cheapInvariants) {
    if (performance.now() - beganAt > mostMsOfAll) break
    // Another check begins when the lease is over.
    if (isStopped()) return
    const rows = await violations(db, programId, invariant)
    if (!rows) continue
    checked += 1
    findings.push(...rows.map((row) => ({ ...row, invariant: invariant.name })))
  }
  await db.dataCheck.updateMany({
    where: { programId, claimedAt: now },
    data: {
      checkedAt: now,
      checked,
      unchecked: cheapInvariants.length - checked,
      findings: findings.slice(0, mostFindings),
    },
  })
}

/** The rows of the program that violate an invariant. Null if finding them takes too long. */
async function violations(
  db: AppDb,
  programId: string,
  { sql }: Invariant,
): Promise<Omit<Stored, 'invariant'>[] | null> {
  db.deadline?.extend(mostMsOfOne + 1_000)
  try {
    return await withTransaction(db, async (tx) => {
      await tx.$executeRaw`select set_config('statement_timeout', ${String(mostMsOfOne)}, true)`
      return tx.$queryRaw<Omit<Stored, 'invariant'>[]>`
        select id::text, detail from (${Prisma.raw(sql)}) violations
        where program_id = ${programId}::uuid limit ${mostFindings}`
    })
  } catch (error) {
    if (isTimeout(error)) return null
    throw error
  }
}

/** PostgreSQL cancels a statement that is over its timeout with the code 57014. */
const isTimeout = (error: unknown): boolean => /57014|statement timeout/.test(String((error as Error).message))
