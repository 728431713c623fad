import { openEmbedded } from '../src/database/embedded/open.ts'
import { openDatabase } from '../src/database/open.ts'
import { createApiKey } from '../src/modules/access/api-keys/service.ts'
import { createProgram } from '../src/modules/programs/service.ts'
import { createPostgresBenchDatabase, log, operatorCtx, withClient } from './database.ts'
import { fill } from './fill.ts'

/** A year that is over, so that most commissions are due and the referrals without a sale have expired. */
export const filledYear = 2025

export type FilledProgram = {
  programId: string
  publishableKey: string
  secret: string
  sales: number
  affiliates: number
}

/** A database on PostgreSQL with one filled program. Nothing is connected to it. */
export async function createFilledDatabase(sizes: { sales: number; affiliates: number }) {
  const { db, databaseUrl, close, drop } = await createPostgresBenchDatabase()
  try {
    const program = await createFilledProgram({ db, databaseUrl }, sizes)
    await close()
    return { databaseUrl, drop, ...program }
  } catch (error) {
    await drop()
    throw error
  }
}

type Target = Pick<Awaited<ReturnType<typeof createPostgresBenchDatabase>>, 'db' | 'databaseUrl'>

export async function createFilledProgram(
  { db, databaseUrl }: Target,
  { sales, affiliates }: { sales: number; affiliates: number },
): Promise<FilledProgram> {
  const ctx = operatorCtx(db)
  const program = await createProgram(ctx, { name: 'Bench', url: 'https://acme.test', currency: 'usd' })
  const { secret } = await createApiKey(ctx, program.id, { name: 'Bench' })
  await withClient(databaseUrl, async (client) => {
    await client.query(fill(program.id, sales, affiliates, filledYear))
    await client.query('vacuum analyze')
  })
  return { programId: program.id, publishableKey: program.publishableKey, secret, sales, affiliates }
}

/** A program with rows in an embedded database, which is closed again. */
export async function fillEmbedded(dataDir: string, sales: number): Promise<void> {
  const { db, close } = await openDatabase({ dataDir, log })
  const ctx = operatorCtx(db)
  const { id } = await createProgram(ctx, { name: 'Bench', url: 'https://acme.test', currency: 'usd' })
  await close()
  const embedded = await openEmbedded({ dataDir, log })
  await embedded.pglite.exec(fill(id, sales, 1_000, filledYear))
  await embedded.pglite.exec('vacuum analyze')
  await embedded.close()
}
