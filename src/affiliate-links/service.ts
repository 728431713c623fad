import { referredAffiliate } from '../affiliates/find.ts'
import { type Recorder, recordChange } from '../changes/record.ts'
import type { ProgramCtx } from '../context.ts'
import { isUniqueViolation } from '../database/errors.ts'
import { withTransaction } from '../database/transaction.ts'
import { invalid } from '../errors.ts'
import type { Affiliate, AffiliateLink, Prisma } from '../generated/prisma/client.ts'
import { mintId } from '../ids.ts'
import { parseInput, problem } from '../input/parse.ts'
import { findById } from '../lookup.ts'
import { carries, type Page, readPage, updatedBetween } from '../pagination/page.ts'
import { createAffiliateLinkInput, listAffiliateLinksInput, updateAffiliateLinkInput } from './input.ts'
import { tokenKey, tokenProposals } from './tokens.ts'

const tokenTaken = problem('token', 'is already in use.')

export async function createAffiliateLink(ctx: ProgramCtx, raw: unknown): Promise<AffiliateLink> {
  let affiliate: Awaited<ReturnType<typeof referredAffiliate>>
  const input = await parseInput(createAffiliateLinkInput, raw, async (readable) => {
    affiliate = await referredAffiliate(ctx, readable.affiliateId)
    return affiliate && 'message' in affiliate ? [affiliate] : []
  })
  return withTransaction(ctx.db, (tx) => insertLink(tx, ctx, affiliate as Affiliate, input.token, ctx.now()))
}

/**
 * Adds a link. Without a token it takes the first free one made from the affiliate's name.
 *
 * @throws INVALID_INPUT where the token is taken
 */
export async function insertLink(
  tx: Prisma.TransactionClient,
  ctx: Recorder,
  affiliate: Affiliate,
  token: string | undefined,
  now: Date,
): Promise<AffiliateLink> {
  for (const proposal of token === undefined ? tokenProposals(affiliate) : [token]) {
    const id = mintId(now)
    const link = {
      programId: affiliate.programId,
      id,
      affiliateId: affiliate.id,
      token: proposal,
      tokenKey: tokenKey(proposal),
      createdAt: now,
      updatedAt: now,
    }
    // Not an insert that fails: a failed statement would end the transaction this is part of.
    const { count } = await tx.affiliateLink.createMany({ data: [link], skipDuplicates: true })
    if (count === 0) continue
    const what = { subject: 'affiliate', subjectId: affiliate.id, action: 'link_created' } as const
    await recordChange(tx, ctx, what, null, link, now)
    return tx.affiliateLink.findUniqueOrThrow({ where: { programId_id: { programId: affiliate.programId, id } } })
  }
  throw invalid([tokenTaken])
}

/** Changes what is given. @throws NOT_FOUND; INVALID_INPUT where the token is taken */
export async function updateAffiliateLink(ctx: ProgramCtx, id: string, raw: unknown): Promise<void> {
  await findAffiliateLink(ctx, id)
  const { token } = await parseInput(updateAffiliateLinkInput, raw)
  if (token === undefined) return
  const programId = ctx.program.id
  const where = { programId_id: { programId, id } }
  try {
    await withTransaction(ctx.db, async (tx) => {
      await tx.$queryRaw`select 1 from affiliate_links where program_id = ${programId}::uuid and id = ${id}::uuid for update`
      const before = await tx.affiliateLink.findUniqueOrThrow({ where })
      const now = ctx.now()
      const data = { token, tokenKey: tokenKey(token), updatedAt: now }
      const after = await tx.affiliateLink.update({ where, data })
      const what = { subject: 'affiliate', subjectId: before.affiliateId, action: 'link_token_changed' } as const
      await recordChange(tx, ctx, what, before, after, now)
    })
  } catch (error) {
    if (isUniqueViolation(error, 'token_key')) throw invalid([tokenTaken])
    throw error
  }
}

/** @throws NOT_FOUND */
export async function findAffiliateLink(
  ctx: ProgramCtx,
  id: string,
  query: Prisma.AffiliateLinkDefaultArgs = {},
): Promise<AffiliateLink> {
  const where = { programId_id: { programId: ctx.program.id, id } }
  return findById('Affiliate link', id, () => ctx.db.affiliateLink.findUnique({ ...query, where }))
}

/** The link's address: its campaign's, with `via` added to what query it has. */
export function linkUrl(campaignUrl: string, token: string): string {
  const url = new URL(campaignUrl)
  url.search = url.search ? `${url.search}&via=${token}` : `?via=${token}`
  return url.href
}

export async function listAffiliateLinks(
  ctx: ProgramCtx,
  raw: unknown,
  query: Prisma.AffiliateLinkDefaultArgs = {},
): Promise<Page<AffiliateLink>> {
  const input = await parseInput(listAffiliateLinksInput, raw)
  const where = { programId: ctx.program.id, ...updatedBetween(input), affiliateId: carries(input.affiliateId) }
  return readPage(
    input,
    () => ctx.db.affiliateLink.count({ where }),
    (window) => ctx.db.affiliateLink.findMany({ ...query, where, ...window }),
  )
}
