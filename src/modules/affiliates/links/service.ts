import { isUniqueViolation } from '../../../database/client/errors.ts'
import { withTransaction } from '../../../database/client/transaction.ts'
import { insertNewRows } from '../../../database/client/write.ts'
import type { Affiliate, AffiliateLink, Prisma } from '../../../generated/prisma/client.ts'
import { inBatchTurn } from '../../../kernel/batches.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { invalid, type Problem } from '../../../kernel/errors.ts'
import { mintId } from '../../../kernel/ids.ts'
import { allOrNone, type Place, placeIn, readEntries } from '../../../kernel/input/entries.ts'
import { parseInput } from '../../../kernel/input/parse.ts'
import { findByIdOrImportedId, inOrder } from '../../../kernel/lookup.ts'
import { inSlices, smallSlice } from '../../../kernel/slices.ts'
import { eventsOf, type NewEvent, recordEvents } from '../../events/record.ts'
import { type Recorder, recordChange, recordChanges } from '../../history/record.ts'
import { referredAffiliates, unknownAffiliate } from '../find.ts'
import { areTokensTaken, tokenProposals, tokenTaken } from '../free-tokens.ts'
import { tokenKey } from '../tokens.ts'
import { tokensInAddress } from '../tokens-in-address.ts'
import { createAffiliateLinkInput, createAffiliateLinksInput, updateAffiliateLinkInput } from './input.ts'

export async function createAffiliateLink(ctx: ProgramCtx, raw: unknown): Promise<AffiliateLink> {
  const [link] = await makeLinks(ctx, [raw], placeIn(), (readable) => affiliateProblems(ctx, readable))
  return link as AffiliateLink
}

/** Adds links to affiliates, in order: all or none. @throws INVALID_INPUT with every problem of every entry */
export async function createAffiliateLinks(ctx: ProgramCtx, raw: unknown): Promise<AffiliateLink[]> {
  const { affiliateLinks } = await parseInput(createAffiliateLinksInput, raw)
  const check = async (readable: LinkInput[]) => {
    const affiliates = await affiliateProblems(ctx, readable)
    const taken = await areLinkTokensTaken(ctx, readable)
    return affiliates.map((problems, index) => [...problems, ...(taken[index] ? [tokenTaken] : [])])
  }
  return inBatchTurn(ctx, () => makeLinks(ctx, affiliateLinks, placeIn('affiliateLinks'), check))
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

const affiliateProblems = async (ctx: ProgramCtx, inputs: LinkInput[]): Promise<Problem[][]> => {
  const ids = inputs.map(({ affiliateId }) => affiliateId)
  const known = await referredAffiliates(ctx, ids)
  return ids.map((id) => (id === undefined || known.has(id) ? [] : [unknownAffiliate]))
}

/** Whether each token belongs to a link of the program, or to an earlier input. */
export const areLinkTokensTaken = (ctx: ProgramCtx, inputs: readonly { token?: string }[]): Promise<boolean[]> =>
  areTokensTaken(inputs, tokenKey, (keys) =>
    ctx.db.affiliateLink.findMany({
      where: { programId: ctx.program.id, tokenKey: { in: keys } },
      select: { tokenKey: true },
    }),
  )

/**
 * Inserts links. Without a token, a link gets the first free one that is generated from the affiliate's name.
 * @param place adds the position of an entry in the input to its problems
 * @param causes events of the same transaction that come before those of the links
 * @param reserved the keys of tokens that are not generated: links that are inserted later are to have them
 * @throws INVALID_INPUT if a given token is taken
 */
export async function insertLinks(
  tx: Prisma.TransactionClient,
  ctx: Recorder,
  wanted: readonly { affiliate: Affiliate; token: string | undefined }[],
  now: Date,
  place: Place,
  { causes = [], reserved }: { causes?: readonly NewEvent[]; reserved?: ReadonlySet<string> | undefined } = {},
): Promise<AffiliateLink[]> {
  const drafts = wanted.map(({ affiliate, token }, index) => ({
    index,
    affiliate,
    id: mintId(now),
    isGiven: token !== undefined,
    proposals: token === undefined ? tokenProposals(affiliate, reserved) : [token].values(),
  }))
  const inserted = new Map<string, AffiliateLink>()
  // Given tokens come first, so that no generated token takes one of them.
  let open = [...drafts.filter(({ isGiven }) => isGiven), ...drafts.filter(({ isGiven }) => !isGiven)]
  while (open.length > 0) {
    const attempted = open.map(({ index, affiliate: { programId, id: affiliateId }, id, proposals }) => {
      const { value: token } = proposals.next()
      if (token === undefined) throw invalid([place(tokenTaken, index)])
      const own = { programId, id, affiliateId, token, tokenKey: tokenKey(token), createdAt: now, updatedAt: now }
      return { ...own, visitors: 0, leads: 0, conversions: 0, archivedAt: null }
    })
    // An insert that fails would abort the surrounding transaction.
    const insert = (slice: AffiliateLink[]) => insertNewRows(tx, 'affiliate_links', slice)
    const ids = new Set(await inSlices(attempted, insert, smallSlice))
    for (const link of attempted) if (ids.has(link.id)) inserted.set(link.id, link)
    open = open.filter(({ id }) => !inserted.has(id))
  }
  const links = drafts.map(({ id }) => inserted.get(id) as AffiliateLink)
  const changes = links.map((after) => ({
    subject: 'affiliate' as const,
    subjectId: after.affiliateId,
    action: 'link_created' as const,
    before: null,
    after,
  }))
  await recordChanges(tx, ctx, changes, now)
  const created = links.flatMap(({ id }) => eventsOf(id, ['affiliate_link.created']))
  await recordEvents(tx, ctx, [...causes, ...created], now)
  return links
}

/** Updates the given fields. @throws NOT_FOUND; INVALID_INPUT if the token is taken */
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
      if (token !== before.token) await recordEvents(tx, ctx, eventsOf(id, ['affiliate_link.updated']), now)
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
  return findByIdOrImportedId(ctx, 'affiliate_link', id, (where) =>
    ctx.db.affiliateLink.findUnique({ where, ...query }),
  )
}

/** The link that the text of an address names: see `tokensInAddress`. */
export async function findLinkByToken(ctx: ProgramCtx, text: string) {
  const keys = tokensInAddress(text)
  const links = await ctx.db.affiliateLink.findMany({
    where: { programId: ctx.program.id, tokenKey: { in: keys } },
    include: { affiliate: { include: { campaign: true } } },
  })
  const byKey = new Map(links.map((link) => [link.tokenKey, link]))
  return keys.map((key) => byKey.get(key)).find(Boolean) ?? null
}

export async function findAffiliateLinks(
  ctx: ProgramCtx,
  ids: readonly string[],
  query: Prisma.AffiliateLinkDefaultArgs = {},
): Promise<AffiliateLink[]> {
  const where = { programId: ctx.program.id, id: { in: [...ids] } }
  return inOrder(ids, await ctx.db.affiliateLink.findMany({ ...query, where }))
}

/** The URL of a link: the campaign's URL with `via` added. An existing query string is kept. */
export function linkUrl(campaignUrl: string, token: string): string {
  const url = new URL(campaignUrl)
  const via = `via=${encodeURIComponent(token)}`
  url.search = url.search ? `${url.search}&${via}` : `?${via}`
  return url.href
}
