import type { AffiliateLink, Prisma } from '../../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { notFound } from '../../../kernel/errors.ts'
import type { References } from '../../../kernel/references.ts'
import { archiveToken, deleteToken, type TokenKind } from '../change-token.ts'
import { findAffiliateLink } from './service.ts'

/** Archives a link, or takes that back. Idempotent. @throws NOT_FOUND */
export const archiveAffiliateLink = (ctx: ProgramCtx, namedId: string, isArchived: boolean): Promise<void> =>
  archiveToken(link, ctx, namedId, isArchived)

/** Deletes a link that nothing refers to. @returns its id @throws NOT_FOUND; REFUSED with what refers to it */
export const deleteAffiliateLink = (ctx: ProgramCtx, namedId: string): Promise<string> =>
  deleteToken(link, ctx, namedId)

const keyOf = ({ programId, id }: AffiliateLink) => ({ programId_id: { programId, id } })

const link: TokenKind<AffiliateLink> = {
  noun: 'link',
  find: findAffiliateLink,
  lock: lockLink,
  update: (tx, row, data) => tx.affiliateLink.update({ where: keyOf(row), data }),
  delete: (tx, row) => tx.affiliateLink.delete({ where: keyOf(row) }),
  async countReferences(tx, { programId, id }) {
    const [references] = await tx.$queryRaw<[References]>`
      select (select count(*) from referrals where program_id = ${programId}::uuid and link_id = ${id}::uuid)::int as referrals,
        (select count(*) from visits where program_id = ${programId}::uuid and link_id = ${id}::uuid)::int as visits,
        (select count(*) from imported_records where program_id = ${programId}::uuid and id = ${id}::uuid)::int
          as imported_records`
    return references
  },
  events: {
    archived: ['affiliate_link.updated', 'tributary.affiliate_link.archived'],
    unarchived: ['affiliate_link.updated', 'tributary.affiliate_link.unarchived'],
    deleted: ['affiliate_link.deleted'],
  },
}

async function lockLink(tx: Prisma.TransactionClient, row: AffiliateLink): Promise<AffiliateLink> {
  const { programId, id } = row
  await tx.$queryRaw`select 1 from affiliate_links where program_id = ${programId}::uuid and id = ${id}::uuid for update`
  const locked = await tx.affiliateLink.findUnique({ where: keyOf(row) })
  if (!locked) throw notFound('Affiliate link', id)
  return locked
}
