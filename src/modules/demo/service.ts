import type { Prisma, PrismaClient, Program } from '../../generated/prisma/client.ts'
import { mintId } from '../../kernel/ids.ts'
import { hashSecret, mintSecret, secretPrefix } from '../access/api-keys/secret.ts'
import { buildDemo } from './build.ts'
import { insertRows } from './insert.ts'

export type Demo = {
  program: Program
  /** Of the program's only key; it can not be read again. */
  secret: string
  /** The code of a coupon that a sale can be reported with. */
  coupon: string
}

/** Any number that nothing else locks: whoever fills an empty database holds it. */
const demoLock = 7_265_001_904

/** Longer than a request's transaction may take, as nobody waits for an answer: a slow machine only starts later. */
const transactionMs = 60_000

/** How long another instance waits for the one that fills the database; less than limits.queryMs, which would end the wait without a reason. */
const longestWait = '15s'

/**
 * Fills an empty database with a program to look at, and makes a key to it; null where there is a program already.
 *
 * All of it is one transaction, so that one that is cut off leaves nothing behind and the next start begins anew. Of
 * several instances that start at once, one makes it; the others wait for it and get null.
 */
export async function makeDemoProgram(
  db: PrismaClient,
  { now, seed = 1 }: { now: Date; seed?: number },
): Promise<Demo | null> {
  if (await hasProgram(db)) return null
  const run = async (tx: Prisma.TransactionClient) => {
    await tx.$executeRaw`select set_config('lock_timeout', ${longestWait}, true), set_config('statement_timeout', ${longestWait}, true)`
    await tx.$executeRaw`select pg_advisory_xact_lock(${demoLock}::bigint)`
    return (await hasProgram(tx)) ? null : await insertDemo(tx, now, seed)
  }
  const demo = await db.$transaction(run, {
    timeout: transactionMs,
    maxWait: transactionMs,
    isolationLevel: 'ReadCommitted',
  })
  // The planner takes tables that were filled a moment ago for empty, and answers the first queries by reading them all.
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
