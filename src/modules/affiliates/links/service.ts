import { isUniqueViolation } from '../../../database/errors.ts'
import { withTransaction } from '../../../database/transaction.ts'
import type { Affiliate, AffiliateLink, Prisma } from '../../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { invalid, type Problem } from '../../../kernel/errors.ts'
import { idOfFormer } from '../../../kernel/former-ids.ts'
import { mintId } from '../../../kernel/ids.ts'
import { allOrNone, type Place, placeIn, readEntries, repeated } from '../../../kernel/input/entries.ts'
import { parseInput, problem } from '../../../kernel/input/parse.ts'
import { tokenKey, tokenProposals } from '../../../kernel/link-tokens.ts'
import { findById, inOrder } from '../../../kernel/lookup.ts'
import { carries, type Page, readRows, updatedBetween } from '../../../kernel/pagination/page.ts'
import { type Recorder, recordChange, recordChanges } from '../../history/record.ts'
import { referredAffiliates, unknownAffiliate } from '../find.ts'
import {
  createAffiliateLinkInput,
  createAffiliateLinksInput,
  listAffiliateLinksInput,
  updateAffiliateLinkInput,
} from './input.ts'

const tokenTaken = problem('token', 'is already in use.')

export async function createAffiliateLink(ctx: ProgramCtx, raw: unknown): Promise<AffiliateLink> {
  const [link] = await makeLinks(ctx, [raw], placeIn(), (readable) => affiliatesOf(ctx, readable))
  return link as AffiliateLink
}

/**
 * Adds links to affiliates, all or none, in the order given.
 *
 * @throws INVALID_INPUT with every problem of every entry
 */
export async function createAffiliateLinks(ctx: ProgramCtx, raw: unknown): Promise<AffiliateLink[]> {
  const { affiliateLinks } = await parseInput(createAffiliateLinksInput, raw)
  return makeLinks(ctx, affiliateLinks, placeIn('affiliateLinks'), async (readable) => {
    const affiliates = await affiliatesOf(ctx, readable)
    const taken = await takenTokens(ctx, readable)
    return affiliates.map((problems, index) => [...problems, ...(taken[index] ? [tokenTaken] : [])])
  })
}

type LinkInput = { affiliateId?: string; token?: string }

async function makeLinks(
  ctx: ProgramCtx,
  raws: readonly unknown[],
  place: Place,
  check: (readable: LinkInput[]) => Promise<Problem[][]>,
): Promise<AffiliateLink[]> {
  const inputs = allOrNone(await readEntries(createAffiliateLinkInput, raws, check), place)
  const affiliates = await referredAffiliates(
    ctx,
    inputs.map(({ affiliateId }) => affiliateId),
  )
  const wanted = inputs.map(({ affiliateId, token }) => ({
    affiliate: affiliates.get(affiliateId) as Affiliate,
    token,
  }))
  return withTransaction(ctx.db, (tx) => insertLinks(tx, ctx, wanted, ctx.now(), place))
}

const affiliatesOf = async (ctx: ProgramCtx, inputs: LinkInput[]): Promise<Problem[][]> => {
  const ids = inputs.map(({ affiliateId }) => affiliateId)
  const known = await referredAffiliates(ctx, ids)
  return ids.map((id) => (id === undefined || known.has(id) ? [] : [unknownAffiliate]))
}

/** Which of these tokens a link of the program has, or one before it in the list. */
export async function takenTokens(ctx: ProgramCtx, inputs: readonly { token?: string }[]): Promise<boolean[]> {
  const keys = inputs.map(({ token }) => (token === undefined ? undefined : tokenKey(token)))
  const given = keys.filter((key) => key !== undefined)
  if (given.length === 0) return keys.map(() => false)
  const where = { programId: ctx.program.id, tokenKey: { in: given } }
  const links = await ctx.db.affiliateLink.findMany({ where, select: { tokenKey: true } })
  const taken = new Set(links.map((link) => link.tokenKey))
  const again = repeated(keys)
  return keys.map((key, index) => key !== undefined && (taken.has(key) || again[index] === true))
}

/**
 * Adds links. One without a token takes the first free one made from the affiliate's name.
 *
 * @param place which entry of the input each is
 * @throws INVALID_INPUT where a token is taken
 */
export async function insertLinks(
  tx: Prisma.TransactionClient,
  ctx: Recorder,
  wanted: readonly { affiliate: Affiliate; token: string | undefined }[],
  now: Date,
  place: Place,
): Promise<AffiliateLink[]> {
  const waiting = wanted.map(({ affiliate, token }, index) => ({
    index,
    affiliate,
    id: mintId(now),
    isGiven: token !== undefined,
    proposals: token === undefined ? tokenProposals(affiliate) : [token].values(),
  }))
  const made = new Map<string, AffiliateLink>()
  // Tokens that were asked for come first: one that is made up gives way.
  let open = [...waiting.filter(({ isGiven }) => isGiven), ...waiting.filter(({ isGiven }) => !isGiven)]
  while (open.length > 0) {
    const data = open.map(({ index, affiliate: { programId, id: affiliateId }, id, proposals }) => {
      const { value: token } = proposals.next()
      if (token === undefined) throw invalid([place(tokenTaken, index)])
      return { programId, id, affiliateId, token, tokenKey: tokenKey(token), createdAt: now, updatedAt: now }
    })
    // Not an insert that fails: a failed statement would end the transaction this is part of.
    const inserted = await tx.affiliateLink.createManyAndReturn({ data, skipDuplicates: true })
    for (const link of inserted) made.set(link.id, link)
    open = open.filter(({ id }) => !made.has(id))
  }
  const links = waiting.map(({ id }) => made.get(id) as AffiliateLink)
  const changes = links.map((after) => ({
    subject: 'affiliate' as const,
    subjectId: after.affiliateId,
    action: 'link_created',
    before: null,
    after,
  }))
  await recordChanges(tx, ctx, changes, now)
  return links
}

/** Changes what is given. @throws NOT_FOUND; INVALID_INPUT where the token is taken */
export async function updateAffiliateLink(ctx: ProgramCtx, namedId: string, raw: unknown): Promise<void> {
  const { id } = await findAffiliateLink(ctx, namedId)
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
  const read = (own: string) =>
    ctx.db.affiliateLink.findUnique({ ...query, where: { programId_id: { programId: ctx.program.id, id: own } } })
  return findById('Affiliate link', id, read, idOfFormer(ctx, 'affiliate_link'))
}

/** Those of these links that there are, in the order of the ids. */
export async function findAffiliateLinks(
  ctx: ProgramCtx,
  ids: readonly string[],
  query: Prisma.AffiliateLinkDefaultArgs = {},
): Promise<AffiliateLink[]> {
  const where = { programId: ctx.program.id, id: { in: [...ids] } }
  return inOrder(ids, await ctx.db.affiliateLink.findMany({ ...query, where }))
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
  return readRows(input, ctx.db.affiliateLink, where, query)
}
