import type { Prisma, PrismaClient, Program } from '../../generated/prisma/client.ts'
import { mintId } from '../../kernel/ids.ts'
import { hashSecret, mintSecret, secretPrefix } from '../access/api-keys/secret.ts'
import { buildDemo } from './build.ts'
import { insertRows } from './insert.ts'

export type Demo = {
  program: Program
  /** The secret of the program's only API key. It cannot be read again. */
  secret: string
  /** The token of a coupon of an active affiliate, for an example sale. */
  coupon: string
}

/** The key of the advisory lock that is held while the demo is made. Any number that is not used for another lock. */
const demoLock = 7_265_001_904

/** Longer than the limit for requests, because on a slow machine only the start takes longer. */
const transactionMs = 60_000

/** How long another instance waits for the lock. Less than limits.queryMs, so that a timeout reports the lock as its cause. */
const lockTimeout = '15s'

/**
 * Fills an empty database with the demo program and an API key for it. Returns null if the database has a program.
 *
 * It is one transaction, so an interrupted start leaves nothing behind and the next start tries again. If several
 * instances start at once, one creates the program; the others wait for it and get null.
 */
export async function makeDemoProgram(
  db: PrismaClient,
  { now, seed = 1 }: { now: Date; seed?: number },
): Promise<Demo | null> {
  if (await hasProgram(db)) return null
  const run = async (tx: Prisma.TransactionClient) => {
    await tx.$executeRaw`select set_config('lock_timeout', ${lockTimeout}, true), set_config('statement_timeout', ${lockTimeout}, true)`
    await tx.$executeRaw`select pg_advisory_xact_lock(${demoLock}::bigint)`
    return (await hasProgram(tx)) ? null : await insertDemo(tx, now, seed)
  }
  const demo = await db.$transaction(run, {
    timeout: transactionMs,
    maxWait: transactionMs,
    isolationLevel: 'ReadCommitted',
  })
  // Without statistics the planner assumes that the new tables are empty, and scans them for the first queries.
  if (demo) await db.$executeRaw`analyze`
  return demo
}

async function hasProgram(db: Pick<Prisma.TransactionClient, 'program'>): Promise<boolean> {
  return (await db.program.findFirst({ select: { id: true } })) !== null
}

async function insertDemo(tx: Prisma.TransactionClient, now: Date, seed: number): Promise<Demo> {
  const rows = buildDemo({ now, seed })
  const program = rows.programs[0] as Program
  await insertRows(tx, rows)
  const secret = mintSecret()
  const key = { name: 'Demo', prefix: secretPrefix, lastFour: secret.slice(-4), secretHash: hashSecret(secret) }
  await tx.apiKey.create({ data: { programId: program.id, id: mintId(now), ...key, createdAt: now } })
  const active = new Set(rows.affiliates.filter(({ state }) => state === 'active').map(({ id }) => id))
  const coupon = rows.affiliate_coupons.find(({ affiliateId }) => active.has(affiliateId))
  return { program, secret, coupon: coupon?.token ?? '' }
}
