import type { Campaign, Program } from '../../generated/prisma/client.ts'
import type { Problem } from '../../kernel/errors.ts'
import { mintId } from '../../kernel/ids.ts'
import { decideReward } from '../campaigns/reward.ts'
import { recordChanges } from '../history/record.ts'
import { type Batch, leaveOut, note, readKnown, tell, updateRows } from './batch.ts'
import type { RecordOf } from './input.ts'
import { madeAndChanged } from './moments.ts'
import { changedSince, storedFields } from './stored.ts'

type Fields = Omit<Campaign, 'programId' | 'id' | 'isDefault' | 'selfReferrals' | 'createdAt' | 'updatedAt'>

/** The row that a campaign of the source becomes, or what of it can not be taken over. */
export function campaignFields(record: RecordOf<'campaign'>, program: Pick<Program, 'currency'>): Fields | Problem {
  const { rewardType, commissionPercent, commissionAmountCents } = record
  const isGiven = commissionPercent !== undefined || commissionAmountCents !== undefined
  const reward = decideReward(
    {
      rewardType: commissionPercent !== undefined && commissionAmountCents === undefined ? undefined : rewardType,
      commissionPercent,
      commissionAmountCents,
    },
    null,
  )
  if (!isGiven || 'message' in reward)
    return { field: 'commissionPercent', message: 'It says neither a percentage nor an amount as its commission.' }
  return {
    name: record.name,
    url: record.url,
    private: record.private ?? false,
    ...reward,
    commissionCurrency: record.commissionCurrency ?? program.currency,
    minimumPayoutCents: record.minimumPayoutCents ?? 0n,
    daysBeforeReferralsExpire: record.daysBeforeReferralsExpire ?? 60,
    daysBeforeCommissionsAreDue: record.daysBeforeCommissionsAreDue ?? 30,
    maxCommissions: record.maxCommissions ?? null,
    maxCommissionPeriodInMonths: record.maxCommissionPeriodInMonths ?? null,
  }
}

export const newCampaign = (
  programId: string,
  record: RecordOf<'campaign'>,
  fields: Fields,
  isDefault: boolean,
  now: Date,
): Campaign => {
  const times = madeAndChanged(record, now)
  return { programId, id: mintId(times.createdAt), ...fields, isDefault, selfReferrals: 'allow', ...times }
}

export async function takeCampaigns(batch: Batch, records: RecordOf<'campaign'>[]): Promise<void> {
  const { tx, ctx, now } = batch
  const known = await readKnown(
    batch,
    'campaign',
    records.map(({ externalId }) => externalId),
  )
  const ids = [...known.values()].map(({ id }) => id)
  const rows = await tx.campaign.findMany({ where: { programId: ctx.program.id, id: { in: ids } } })
  const byId = new Map(rows.map((row) => [row.id, row]))
  const own = await defaultToAdopt(batch)
  const created: Campaign[] = []
  const updated: { before: Campaign; after: Campaign }[] = []
  for (const record of records) {
    const fields = campaignFields(record, ctx.program)
    if ('message' in fields) {
      leaveOut(batch, 'campaign', record.externalId, fields)
      continue
    }
    const before = known.get(record.externalId)
    const row = before && byId.get(before.id)
    const seen = storedFields(fields)
    if (!before && own && record.isDefault && !updated.some(({ before: adopted }) => adopted === own)) {
      updated.push({ before: own, after: { ...own, ...fields, updatedAt: record.updatedAt ?? own.updatedAt } })
      tell(batch, 'campaign', record.externalId, 'created', { id: own.id, seen })
      continue
    }
    if (!before || !row) {
      const campaign = newCampaign(ctx.program.id, record, fields, false, now)
      created.push(campaign)
      tell(batch, 'campaign', record.externalId, 'created', { id: campaign.id, seen })
      continue
    }
    const { changes, kept } = changedSince(row, before.seen, fields)
    const isChanged = Object.keys(changes).length > 0
    if (isChanged)
      updated.push({ before: row, after: { ...row, ...changes, updatedAt: record.updatedAt ?? now } as Campaign })
    tell(batch, 'campaign', record.externalId, isChanged ? 'updated' : 'unchanged', { id: row.id, seen })
    if (kept.length > 0) note(batch, 'campaign', record.externalId, keptSentence(kept))
  }
  await tx.campaign.createMany({ data: created })
  await updateRows(
    batch,
    'campaigns',
    campaignColumns,
    updated.map(({ after }) => after),
  )
  await recordChanges(
    tx,
    ctx,
    [
      ...created.map((after) => ({ ...subject, subjectId: after.id, action: 'created', before: null, after })),
      ...updated.map(({ before, after }) => ({ ...subject, subjectId: after.id, action: 'updated', before, after })),
    ],
    now,
  )
}

/** The default campaign of a program that was made for this import, until it became one of the source's. */
async function defaultToAdopt({ tx, ctx, madeProgram }: Batch): Promise<Campaign | null> {
  if (!madeProgram) return null
  const programId = ctx.program.id
  const campaign = await tx.campaign.findFirst({ where: { programId, isDefault: true } })
  const adopted = campaign && (await tx.importedRecord.findFirst({ where: { programId, id: campaign.id } }))
  return adopted ? null : campaign
}

const subject = { subject: 'campaign' } as const

const campaignColumns = [
  'name',
  'url',
  'private',
  'rewardType',
  'commissionBasisPoints',
  'commissionAmountCents',
  'commissionCurrency',
  'minimumPayoutCents',
  'daysBeforeReferralsExpire',
  'daysBeforeCommissionsAreDue',
  'maxCommissions',
  'maxCommissionPeriodInMonths',
  'updatedAt',
] satisfies (keyof Campaign)[]

/** Says that a field was changed on both sides. */
export const keptSentence = (fields: readonly string[]) =>
  `Changed at the source, and left as it is here, where it was changed too or is settled: ${fields.map(worded).join(', ')}.`

const worded = (field: string) => field.replace(/([A-Z])/g, ' $1').toLowerCase()
