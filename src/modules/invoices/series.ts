import type { Prisma } from '../../generated/prisma/client.ts'
import { localOf } from '../../kernel/time-zone.ts'

export type Numbered = { issuedOn: string; year: number; place: number; number: string }

const digits = 4

/** How long a transaction waits for the others of its program: they are a queue, and none is stuck. */
const waitMs = 10_000

type Of = { id: string; timeZone: string }

/** The day in the time zone of the program, such as `2026-11-29`, and its year. */
function dayOf({ timeZone }: Of, at: Date): { issuedOn: string; year: number } {
  const issuedOn = new Date(localOf(at.getTime(), timeZone)).toISOString().slice(0, 10)
  return { issuedOn, year: Number(issuedOn.slice(0, 4)) }
}

/**
 * Locks the series of the year until the transaction ends. Take it before the locks of affiliates: a transaction that
 * waits for a number must not hold what requests about sales wait for.
 */
export async function lockSeries(tx: Prisma.TransactionClient, program: Of, at: Date): Promise<void> {
  await tx.$queryRaw`select set_config('lock_timeout', ${String(waitMs)}, true)`
  await tx.$executeRaw`
    insert into invoice_series as s (program_id, year, last) values (${program.id}::uuid, ${dayOf(program, at).year}, 0)
    on conflict (program_id, year) do update set last = s.last`
}

/**
 * Takes the next number of the program's series in the calendar year of its time zone. The caller holds the lock of the
 * series, so numbers are in the order of the commits, and a transaction that fails leaves no gap.
 */
export async function takeNumber(
  tx: Prisma.TransactionClient,
  program: Of,
  prefix: string,
  at: Date,
): Promise<Numbered> {
  const { issuedOn, year } = dayOf(program, at)
  const [{ last: place }] = await tx.$queryRaw<[{ last: number }]>`
    insert into invoice_series as s (program_id, year, last) values (${program.id}::uuid, ${year}, 1)
    on conflict (program_id, year) do update set last = s.last + 1 returning last`
  return { issuedOn, year, place, number: `${prefix}${year}-${String(place).padStart(digits, '0')}` }
}
