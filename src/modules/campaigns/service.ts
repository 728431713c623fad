import type { z } from 'zod'
import { withTransaction } from '../../database/client/transaction.ts'
import type { Campaign, Prisma, Program } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { invalid, type Problem } from '../../kernel/errors.ts'
import { mintId } from '../../kernel/ids.ts'
import { parseInput } from '../../kernel/input/parse.ts'
import { findByIdOrImportedId } from '../../kernel/lookup.ts'
import { newCampaign } from '../../resources/campaigns.ts'
import { eventsOf, recordEvents } from '../events/record.ts'
import { differs } from '../history/fields.ts'
import { type Recorder, recordChange } from '../history/record.ts'
import { createCampaignInput, updateCampaignInput } from './input.ts'
import { readMinimums } from './minimum-payouts.ts'
import { decideReward, type Reward, type RewardInput, reinterpretedAmount } from './reward.ts'

export async function createCampaign(ctx: ProgramCtx, raw: unknown): Promise<Campaign> {
  const input = await parseInput(createCampaignInput, raw, (...read) => problemsOf(null, ...read))
  return withTransaction(ctx.db, (tx) => insertCampaign(tx, ctx, ctx.now(), input))
}

/** Inserts a campaign. Fields that the input omits get the documented defaults. */
export async function insertCampaign(
  tx: Prisma.TransactionClient,
  ctx: Recorder & { program: Pick<Program, 'id' | 'currency'> },
  now: Date,
  input: z.output<typeof createCampaignInput>,
  isDefault = false,
): Promise<Campaign> {
  const { program } = ctx
  const campaign = await tx.campaign.create({
    data: {
      programId: program.id,
      id: mintId(now),
      name: input.name,
      url: input.url,
      isDefault,
      ...(decideReward(input, null) as Reward),
      commissionCurrency: input.commissionCurrency ?? program.currency,
      ...newCampaign(input),
      minimumPayouts: readMinimums(input.minimumPayouts ?? []).value,
      selfReferrals: input.selfReferrals ?? 'hold',
      createdAt: now,
      updatedAt: now,
    },
  })
  const what = { subject: 'campaign', subjectId: campaign.id, action: 'created' } as const
  await recordChange(tx, ctx, what, null, campaign, now)
  await recordEvents(tx, ctx, eventsOf(campaign.id, ['tributary.campaign.created']), now)
  return campaign
}

/** Updates the given fields, if they differ. Existing commissions keep the rule that they were created with. */
export async function updateCampaign(ctx: ProgramCtx, namedId: string, raw: unknown): Promise<Campaign> {
  const current = await findCampaign(ctx, namedId)
  const { id } = current
  const input = await parseInput(updateCampaignInput, raw, (...read) => problemsOf(current, ...read))
  const { rewardType, commissionPercent, commissionAmountCents, minimumPayouts, ...rest } = input
  const programId = ctx.program.id
  return withTransaction(ctx.db, async (tx) => {
    await tx.$queryRaw`select 1 from campaigns where program_id = ${programId}::uuid and id = ${id}::uuid for no key update`
    const where = { programId_id: { programId, id } }
    const before = await tx.campaign.findUniqueOrThrow({ where })
    // A concurrent update may have changed the reward since the input was validated.
    const reward = decideReward({ rewardType, commissionPercent, commissionAmountCents }, before)
    if ('message' in reward) throw invalid([reward])
    const reinterpreted = reinterpretedAmount(input, reward, before)
    if (reinterpreted) throw invalid([reinterpreted])
    const given = { ...rest, ...reward, ...(minimumPayouts && { minimumPayouts: readMinimums(minimumPayouts).value }) }
    if (!differs('campaign', before, given)) return before
    const now = ctx.now()
    const after = await tx.campaign.update({ where, data: { ...given, updatedAt: now } })
    await recordChange(tx, ctx, { subject: 'campaign', subjectId: id, action: 'updated' }, before, after, now)
    await recordEvents(tx, ctx, eventsOf(id, ['tributary.campaign.updated']), now)
    return after
  })
}

type CampaignInput = RewardInput & { minimumPayouts?: readonly unknown[] | undefined }

const problemsOf = (current: Current | null, input: CampaignInput, problems: readonly Problem[]): Problem[] => [
  ...rewardProblems(current, input, problems),
  ...readMinimums(input.minimumPayouts ?? []).problems,
]

const rewardFields = ['rewardType', 'commissionPercent', 'commissionAmountCents']

type Current = Reward & Pick<Campaign, 'commissionCurrency'>

function rewardProblems(current: Current | null, input: RewardInput, problems: readonly Problem[]): Problem[] {
  // An invalid reward is not a missing one: report only that it is invalid.
  if (problems.some(({ field }) => field && rewardFields.includes(field))) return []
  const decided = decideReward(input, current)
  if ('message' in decided) return [decided]
  const reinterpreted = current && reinterpretedAmount(input, decided, current)
  return reinterpreted ? [reinterpreted] : []
}

/** @throws NOT_FOUND */
export async function findCampaign(
  ctx: ProgramCtx,
  id: string,
  query: Prisma.CampaignDefaultArgs = {},
): Promise<Campaign> {
  return findByIdOrImportedId(ctx, 'campaign', id, (where) => ctx.db.campaign.findUnique({ where, ...query }))
}
