import type { Campaign, Prisma } from '../../generated/prisma/client.ts'
import type { Problem } from '../../kernel/errors.ts'
import { mintId } from '../../kernel/ids.ts'
import { label } from '../../kernel/input/parse.ts'
import { campaigns, newCampaign } from '../../resources/campaigns.ts'
import { namesWith } from '../../resources/resource.ts'
import { decideReward } from '../campaigns/reward.ts'
import { type Batch, byId, findImported, idsOf, recordHistory, updateRows } from './batch.ts'
import { nonNegative } from './commissions/plan.ts'
import type { RecordOf } from './input.ts'
import {
  addNote,
  type BatchPlan,
  type ImportedRecord,
  leaveOut,
  noteConflicts,
  noWrites,
  type RowWrites,
  recordOutcome,
} from './plan.ts'
import { mergeChanges, shownFields, snapshotOf } from './snapshot.ts'
import { timestampsOf } from './timestamps.ts'

type Fields = Omit<
  Campaign,
  | 'programId'
  | 'id'
  | 'isDefault'
  | 'selfReferrals'
  | 'minimumPayouts'
  | 'rulesVersion'
  | 'archivedAt'
  | 'createdAt'
  | 'updatedAt'
>

type Existing = {
  imported: Map<string, ImportedRecord>
  campaigns: Map<string, Campaign>
  /** The default campaign that takes the fields of the source's default campaign, or null. */
  replaceableDefault: Campaign | null
}

export async function importCampaigns(batch: Batch, records: RecordOf<'campaign'>[]): Promise<void> {
  const writes = planCampaigns(batch, await readExisting(batch, records), records)
  await batch.tx.campaign.createMany({ data: writes.created as Prisma.CampaignCreateManyInput[] })
  await updateRows(
    batch,
    'campaigns',
    campaignColumns,
    writes.updated.map(({ after }) => after),
  )
  await recordHistory(batch, writes, { subject: 'campaign', subjectId: ({ id }) => id })
}

async function readExisting(batch: Batch, records: RecordOf<'campaign'>[]): Promise<Existing> {
  const { tx, ctx } = batch
  const imported = await findImported(
    batch,
    'campaign',
    records.map(({ externalId }) => externalId),
  )
  const rows = await tx.campaign.findMany({ where: { programId: ctx.program.id, id: { in: idsOf(imported) } } })
  return { imported, campaigns: byId(rows), replaceableDefault: await findReplaceableDefault(batch) }
}

/** The default campaign of a program that was created for this import, until it is a campaign of the source. */
async function findReplaceableDefault({ tx, ctx, madeProgram }: Batch): Promise<Campaign | null> {
  if (!madeProgram) return null
  const programId = ctx.program.id
  const campaign = await tx.campaign.findFirst({ where: { programId, isDefault: true } })
  const imported = campaign && (await tx.importedRecord.findFirst({ where: { programId, id: campaign.id } }))
  return imported ? null : campaign
}

function planCampaigns(plan: BatchPlan, existing: Existing, records: RecordOf<'campaign'>[]): RowWrites<Campaign> {
  const { program } = plan.ctx
  const writes = noWrites<Campaign>()
  let { replaceableDefault } = existing
  for (const record of records) {
    const { externalId } = record
    const fields = campaignFields(plan, record)
    if ('message' in fields) {
      leaveOut(plan, 'campaign', externalId, fields)
      continue
    }
    const snapshot = snapshotOf(fields)
    const imported = existing.imported.get(externalId)
    const row = imported && existing.campaigns.get(imported.id)
    if (imported && row) {
      const shown = shownFields(fields, (field) => rewardFields.has(field) || record.shown.has(field))
      const { changes, conflicts } = mergeChanges(row, imported.snapshot, shown)
      const isChanged = Object.keys(changes).length > 0
      if (isChanged) {
        const after: Campaign = { ...row, ...changes, updatedAt: record.updatedAt ?? plan.now }
        writes.updated.push({ before: row, after })
      }
      recordOutcome(plan, 'campaign', externalId, isChanged ? 'updated' : 'unchanged', {
        id: row.id,
        snapshot: { ...imported.snapshot, ...snapshotOf(shown) },
      })
      noteConflicts(plan, 'campaign', externalId, conflicts)
    } else if (!imported && replaceableDefault && record.isDefault) {
      const before = replaceableDefault
      const after = { ...before, ...fields, ...asElsewhere, updatedAt: record.updatedAt ?? before.updatedAt }
      writes.updated.push({ before, after })
      recordOutcome(plan, 'campaign', externalId, 'created', { id: before.id, snapshot })
      replaceableDefault = null
    } else {
      const times = timestampsOf(record, plan.now)
      const id = mintId(times.createdAt)
      const rest = { minimumPayouts: {}, rulesVersion: 0, archivedAt: null }
      const defaults = { isDefault: false, ...asElsewhere, ...rest } as const
      writes.created.push({ programId: program.id, id, ...fields, ...defaults, ...times })
      recordOutcome(plan, 'campaign', externalId, 'created', { id, snapshot })
    }
  }
  return writes
}

/** The other server pays for sales to oneself. A campaign goes on as it was there. */
const asElsewhere = { selfReferrals: 'allow' } as const

const rewardFields: ReadonlySet<string> = new Set(['rewardType', 'commissionBasisPoints', 'commissionAmountCents'])

/** The columns of an imported campaign, or why it cannot be imported. */
function campaignFields(plan: BatchPlan, record: RecordOf<'campaign'>): Fields | Problem {
  const { program } = plan.ctx
  const { externalId, rewardType, commissionPercent: percent, commissionAmountCents } = record
  const commissionPercent = percent?.basisPoints
  const isGiven = commissionPercent !== undefined || commissionAmountCents !== undefined
  const reward = decideReward(
    {
      rewardType: commissionPercent !== undefined && commissionAmountCents === undefined ? undefined : rewardType,
      commissionPercent,
      commissionAmountCents,
    },
    null,
  )
  if (!isGiven)
    return { field: 'commissionPercent', message: 'The campaign has neither a commission percentage nor an amount.' }
  if ('message' in reward) return reward
  if (percent?.isRounded && reward.rewardType === 'percent') {
    const rounded = `${percent.basisPoints / 100} percent`
    addNote(plan, 'campaign', externalId, `The commission of ${percent.text} percent was rounded to ${rounded}.`)
  }
  if (record.minimumPayoutCents !== undefined && record.minimumPayoutCents < 0n)
    addNote(plan, 'campaign', externalId, 'The minimum payout is negative. It was imported as 0.')
  return {
    name: record.name ?? `Campaign ${externalId}`.slice(0, 255),
    url: record.url ?? program.url,
    ...reward,
    commissionCurrency: record.commissionCurrency ?? program.currency,
    ...newCampaign({
      ...record,
      minimumPayoutCents: nonNegative(record.minimumPayoutCents ?? 0n),
      maxCommissions: limitOf(plan, record, 'maxCommissions'),
      maxCommissionPeriodInMonths: limitOf(plan, record, 'maxCommissionPeriodInMonths'),
    }),
  }
}

/** Servers write "no limit" as 0 or leave it empty. */
function limitOf(
  plan: BatchPlan,
  record: RecordOf<'campaign'>,
  field: 'maxCommissions' | 'maxCommissionPeriodInMonths',
): number | null {
  if (record[field] !== 0) return record[field] ?? null
  addNote(plan, 'campaign', record.externalId, `${label(field)} is 0 at the source. It was imported as no limit.`)
  return null
}

const campaignColumns = [
  ...rewardFields,
  ...namesWith(campaigns.fields, 'default'),
  'name',
  'url',
  'commissionCurrency',
  'updatedAt',
]
