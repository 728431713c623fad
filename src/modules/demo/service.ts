import { copyRows } from '../../database/client/write.ts'
import type { Prisma, Program } from '../../generated/prisma/client.ts'
import type { AppDb } from '../../kernel/db.ts'
import { mintId } from '../../kernel/ids.ts'
import { hashSecret, mintSecret, secretPrefix } from '../access/api-keys/secret.ts'
import { skipClockEvents } from '../event-log/sweep.ts'
import { buildDemo } from './build.ts'
import { demoSlug, demoUrl } from './campaigns.ts'
import { recordDemoEvents } from './events.ts'

export type Demo = {
  program: Program
  /** The secret of the program's only API key. It cannot be read again. */
  secret: string
  coupon: string
}

/** The key of the advisory lock that is held while the demo is made. Any number that is not used for another lock. */
const demoLock = 7_265_001_904

/** Much longer than the limit for requests: on a slow or busy machine, only the start takes longer. */
const transactionMs = 600_000

/** How long another instance waits for the lock: less than limits.queryMs, for a better error. */
const lockTimeout = '15s'

/**
 * Adds the demo program and an API key. Returns null if a database has, or ever had, a program; `asked` adds it to any
 * database without it. It is one transaction: of several instances that start at once, one creates it, and the others
 * get null.
 */
export async function makeDemoProgram(
  db: AppDb,
  options: { now: Date; asked?: boolean; seed?: number; months?: number; events?: boolean; onStart?: () => void },
): Promise<Demo | null> {
  const isDone = options.asked ? hasDemo : isUsed
  if (await isDone(db)) return null
  options.onStart?.()
  const run = async (tx: Prisma.TransactionClient) => {
    await tx.$executeRaw`select set_config('lock_timeout', ${lockTimeout}, true), set_config('statement_timeout', ${lockTimeout}, true)`
    await tx.$executeRaw`select pg_advisory_xact_lock(${demoLock}::bigint)`
    return (await isDone(tx)) ? null : await insertDemo(tx, options)
  }
  return await db.$transaction(run, {
    timeout: transactionMs,
    maxWait: transactionMs,
    isolationLevel: 'ReadCommitted',
  })
}

type Reader = Pick<Prisma.TransactionClient, 'program' | '$queryRaw'>

/** Whether the database has a program, or had one that was deleted. */
async function isUsed(db: Reader): Promise<boolean> {
  if ((await db.program.findFirst({ select: { id: true } })) !== null) return true
  const [deleted] = await db.$queryRaw<{ is_called: boolean }[]>`select is_called from deleted_programs`
  return deleted?.is_called ?? false
}

async function hasDemo(db: Reader): Promise<boolean> {
  const demo = await db.program.findFirst({
    where: { deletedAt: null, OR: [{ slug: demoSlug }, { url: demoUrl }] },
    select: { id: true },
  })
  return demo !== null
}

async function insertDemo(
  tx: Prisma.TransactionClient,
  { now, seed = 1, months, events = false }: { now: Date; seed?: number; months?: number; events?: boolean },
): Promise<Demo> {
  const rows = buildDemo({ now, seed, months })
  const program = rows.programs[0] as Program
  for (const [table, tableRows] of Object.entries(rows)) await copyRows(tx, table, tableRows)
  await skipClockEvents(tx, program.id, now)
  if (events) await recordDemoEvents(tx, program.id, rows, now)
  const secret = mintSecret()
  const key = { name: 'Demo', prefix: secretPrefix, lastFour: secret.slice(-4), secretHash: hashSecret(secret) }
  await tx.apiKey.create({ data: { programId: program.id, id: mintId(now), ...key, createdAt: now } })
  const active = new Set(rows.affiliates.filter(({ state }) => state === 'active').map(({ id }) => id))
  const coupon = rows.affiliate_coupons.find(({ affiliateId }) => active.has(affiliateId))
  return { program, secret, coupon: coupon?.token ?? '' }
}
