import type { Prisma } from '../../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'

const include = { affiliate: { include: { campaign: true } } } as const
type LinkOfAffiliate = Prisma.AffiliateLinkGetPayload<{ include: typeof include }>

/** The oldest link of each affiliate that is not archived, by the affiliate, with its campaign. */
export async function oldestLinks(
  { db, program }: Pick<ProgramCtx, 'db' | 'program'>,
  affiliateIds: readonly string[],
): Promise<Map<string, LinkOfAffiliate>> {
  const links = await db.affiliateLink.findMany({
    where: { programId: program.id, affiliateId: { in: [...affiliateIds] }, archivedAt: null },
    include,
    orderBy: { id: 'desc' },
  })
  // Of several links, the last one that is set is the oldest.
  return new Map(links.map((link) => [link.affiliateId, link]))
}
