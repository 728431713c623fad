import type { PrismaClient, Program } from '../../generated/prisma/client.ts'

/**
 * What requests name a program by: the SHA-256 of its secret keys in hex, its publishable keys, its slug and its id. With these a
 * proxy finds the installation of a program whose keys have the mark of another one.
 */
export async function routesOf(db: PrismaClient, program: Program): Promise<string[]> {
  const { id, slug, publishableKey, previousPublishableKey } = program
  const keys = await db.apiKey.findMany({ where: { programId: id, revokedAt: null }, orderBy: { id: 'asc' } })
  const publishable = [publishableKey, previousPublishableKey].filter((key) => key !== null)
  return [...keys.map(({ secretHash }) => secretHash), ...publishable, slug, id]
}
