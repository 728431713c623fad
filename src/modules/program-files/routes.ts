import type { Program } from '../../generated/prisma/client.ts'
import type { AppDb } from '../../kernel/db.ts'

/** What requests name a program by: hashes of keys (SHA-256, hex), publishable keys, slug, id. For proxies. */
export async function routesOf(db: AppDb, program: Program): Promise<string[]> {
  const { id, slug, publishableKey, previousPublishableKey } = program
  const keys = await db.apiKey.findMany({ where: { programId: id, revokedAt: null }, orderBy: { id: 'asc' } })
  const publishable = [publishableKey, previousPublishableKey].filter((key) => key !== null)
  return [...keys.map(({ secretHash }) => secretHash), ...publishable, slug, id]
}
