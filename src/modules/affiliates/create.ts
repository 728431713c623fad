import type { z } from 'zod'
import { withTransaction, writeUnique } from '../../database/client/transaction.ts'
import { insertRows } from '../../database/client/write.ts'
import type { Affiliate, Prisma } from '../../generated/prisma/client.ts'
import { inBatchTurn } from '../../kernel/batches.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import type { Db } from '../../kernel/db.ts'
import { emailKey } from '../../kernel/email.ts'
import { invalid, type Problem } from '../../kernel/errors.ts'
import { isId, mintId } from '../../kernel/ids.ts'
import { allOrNone, type Place, placeIn, readEntries, repeated } from '../../kernel/input/entries.ts'
import { parseInput, problem } from '../../kernel/input/parse.ts'
import { inSlices, smallSlice } from '../../kernel/slices.ts'
import { isStorable } from '../../kernel/text.ts'
import { newAffiliate, nothingSold } from '../../resources/affiliates.ts'
import { eventsOf } from '../events/record.ts'
import { recordChanges } from '../history/record.ts'
import { fieldProblems } from '../payout-methods/all.ts'
import { tokenTaken } from './free-tokens.ts'
import { createAffiliateInput, createAffiliatesInput } from './input.ts'
import { areLinkTokensTaken, insertLinks } from './links/service.ts'
import { holdAffiliateFields } from './own-fields/definitions.ts'
import { ownFieldProblems } from './own-fields/problems.ts'
import { readOwnFields, withChanges } from './own-fields/values.ts'

const emailTaken = problem('email', 'has already been taken')
const campaignUnknown: Problem = { field: 'campaignId', message: 'Campaign not found.' }
export const campaignArchived: Problem = {
  field: 'campaignId',
  message: 'Campaign is archived. Unarchive it first, or choose another.',
}

type AffiliateInput = z.output<typeof createAffiliateInput>

/** Creates an affiliate and its first link. Affiliates created through the API are confirmed. @throws INVALID_INPUT */
export async function createAffiliate(ctx: ProgramCtx, raw: unknown): Promise<Affiliate> {
  const [affiliate] = await makeAffiliates(ctx, [raw], placeIn())
  return affiliate as Affiliate
}

/** Creates affiliates with their first links, in order: all or none. @throws INVALID_INPUT with every problem */
export async function createAffiliates(ctx: ProgramCtx, raw: unknown): Promise<Affiliate[]> {
  const { affiliates } = await parseInput(createAffiliatesInput, raw)
  return inBatchTurn(ctx, () => makeAffiliates(ctx, affiliates, placeIn('affiliates')))
}

const makeAffiliates = (ctx: ProgramCtx, raws: readonly unknown[], place: Place): Promise<Affiliate[]> =>
  writeUnique(
    async () =>
      allOrNone(await readEntries(createAffiliateInput, raws, (readable) => affiliateProblems(ctx, readable)), place),
    (inputs) => withTransaction(ctx.db, (tx) => insertAffiliates(tx, ctx, inputs, ctx.now(), place)),
  )

/** The problems of each input that only the database shows: a taken e-mail or token, or an unknown campaign. */
export async function affiliateProblems(ctx: ProgramCtx, inputs: Partial<AffiliateInput>[]): Promise<Problem[][]> {
  const problems = await referenceProblems(ctx, inputs)
  const taken = await areLinkTokensTaken(ctx, inputs)
  return problems.map((found, index) => (taken[index] ? [...found, tokenTaken] : found))
}

type Referring = { email?: string; campaignId?: string; ownFields?: readonly unknown[] | undefined }

/** @param own the affiliate that is updated, and may keep its e-mail and its campaign */
export async function referenceProblems(
  ctx: ProgramCtx,
  inputs: readonly Referring[],
  own?: Pick<Affiliate, 'id' | 'campaignId'>,
): Promise<Problem[][]> {
  const keys = inputs.map(({ email }) => (email === undefined ? undefined : emailKey(email)))
  const holders = await affiliatesByEmail(ctx, keys)
  const isRepeated = repeated(keys)
  const campaigns = await knownCampaigns(ctx, inputs)
  const ofOwnFields = await ownFieldProblems(ctx, inputs)
  return inputs.map((input, index) => {
    const { campaignId } = input
    const key = keys[index]
    const holder = key === undefined ? undefined : holders.get(key)
    const isTaken = isRepeated[index] || (holder !== undefined && holder !== own?.id)
    return [
      ...(isTaken ? [emailTaken] : []),
      ...fieldProblems(input),
      ...(campaignId === undefined || campaignId === own?.campaignId
        ? []
        : campaignProblems(campaigns.get(campaignId))),
      ...(ofOwnFields[index] ?? []),
    ]
  })
}

export async function affiliatesByEmail(
  ctx: ProgramCtx,
  keys: readonly (string | undefined)[],
): Promise<Map<string, string>> {
  // Nobody has an e-mail that cannot be stored, and the database rejects it.
  const given = keys.filter((key): key is string => key !== undefined && isStorable(key))
  const holders = await inSlices(given, (slice) => {
    const where = { programId: ctx.program.id, emailKey: { in: slice } }
    return ctx.db.affiliate.findMany({ where, select: { id: true, emailKey: true } })
  })
  return new Map(holders.map((holder) => [holder.emailKey, holder.id]))
}

type KnownCampaign = { archivedAt: Date | null }

const campaignProblems = (campaign: KnownCampaign | undefined): Problem[] =>
  campaign === undefined ? [campaignUnknown] : campaign.archivedAt ? [campaignArchived] : []

async function knownCampaigns(
  ctx: ProgramCtx,
  inputs: readonly { campaignId?: string }[],
): Promise<Map<string, KnownCampaign>> {
  const ids = new Set(
    inputs.flatMap(({ campaignId }) => (campaignId !== undefined && isId(campaignId) ? campaignId : [])),
  )
  if (ids.size === 0) return new Map()
  const where = { programId: ctx.program.id, id: { in: [...ids] } }
  const campaigns = await ctx.db.campaign.findMany({ where, select: { id: true, archivedAt: true } })
  return new Map(campaigns.map((campaign) => [campaign.id, campaign]))
}

/**
 * Inserts affiliates and their first links, in the given order. At most a hundred: the embedded database runs in this
 * thread.
 * @param place adds the position of an entry in the input to its problems
 * @param reserved the keys of tokens that are not generated
 * @throws INVALID_INPUT if a token was taken since the input was checked
 */
export async function insertAffiliates(
  tx: Prisma.TransactionClient,
  ctx: ProgramCtx,
  inputs: readonly AffiliateInput[],
  now: Date,
  place: Place,
  reserved?: ReadonlySet<string>,
): Promise<Affiliate[]> {
  const needsDefault = inputs.some(({ campaignId }) => campaignId === undefined)
  const defaultId = needsDefault ? await defaultCampaignId(tx, ctx.program.id) : ''
  const hasOwnFields = inputs.some(({ ownFields }) => ownFields)
  const definitions = hasOwnFields ? await holdAffiliateFields(tx, ctx) : []
  const read = inputs.map(({ ownFields = [] }) => readOwnFields(definitions, ownFields))
  // A field can have been changed since the input was checked.
  const problems = read.flatMap((one, index) => one.problems.map((found) => place(found, index)))
  if (problems.length > 0) throw invalid(problems)
  const rowOf = (input: AffiliateInput, index: number) => ({
    programId: ctx.program.id,
    id: mintId(now),
    campaignId: input.campaignId ?? defaultId,
    email: input.email,
    emailKey: emailKey(input.email),
    ...newAffiliate(input),
    confirmedAt: now,
    visitors: 0,
    leads: 0,
    conversions: 0,
    ...nothingSold,
    ownFields: withChanges({}, read[index]?.changes ?? {}),
    signInCount: 0,
    createdAt: now,
    updatedAt: now,
  })
  const affiliates = inputs.map(rowOf)
  const insert = async (slice: Affiliate[]) => {
    await insertRows(tx, 'affiliates', slice)
    return []
  }
  await inSlices(affiliates, insert, smallSlice)
  const changes = affiliates.map((after) => ({
    subject: 'affiliate' as const,
    subjectId: after.id,
    action: 'created' as const,
    before: null,
    after,
  }))
  await recordChanges(tx, ctx, changes, now)
  const links = affiliates.map((affiliate, index) => ({ affiliate, token: inputs[index]?.token }))
  await insertLinks(tx, ctx, links, now, place, {
    causes: affiliates.flatMap(({ id }) => eventsOf(id, ['affiliate.created', 'affiliate.confirmed'])),
    reserved,
  })
  return affiliates
}

async function defaultCampaignId(db: Db, programId: string): Promise<string> {
  const campaign = await db.campaign.findFirstOrThrow({ where: { programId, isDefault: true }, select: { id: true } })
  return campaign.id
}
