import type { Prisma } from '../../../generated/prisma/client.ts'
import { emailKey } from '../../../kernel/email.ts'
import { placeIn } from '../../../kernel/input/entries.ts'
import { affiliates as resource } from '../../../resources/affiliates.ts'
import { namesWith } from '../../../resources/resource.ts'
import { insertLinks } from '../../affiliates/links/service.ts'
import { type Batch, byId, findImported, idsOf, recordHistory, updateRows } from '../batch.ts'
import type { RecordOf } from '../input.ts'
import { planLinks, readExistingLinks, writeLinks } from '../links.ts'
import { type ExistingAffiliates, noteMissingLinks, planAffiliates } from './plan.ts'

/** Imports affiliates with their links. An existing one, by e-mail, stays unchanged but gets the links. */
export async function importAffiliates(batch: Batch, records: RecordOf<'affiliate'>[]): Promise<void> {
  const { tx, ctx, now } = batch
  const { affiliates, links } = planAffiliates(batch, await readExisting(batch, records), records)
  const linkWrites = planLinks(batch, await readExistingLinks(batch, links), links)
  const linked = new Set(linkWrites.created.map(({ affiliateId }) => affiliateId))
  const withoutLink = affiliates.created.filter(({ id }) => !linked.has(id))
  noteMissingLinks(batch, withoutLink, records)

  // Updates come first: a new affiliate may have the old e-mail address of an existing one.
  await updateRows(
    batch,
    'affiliates',
    affiliateColumns,
    affiliates.updated.map(({ after }) => after),
  )
  await tx.affiliate.createMany({ data: affiliates.created as Prisma.AffiliateCreateManyInput[] })
  await recordHistory(batch, affiliates, { subject: 'affiliate', subjectId: ({ id }) => id })
  await writeLinks(batch, linkWrites)
  if (withoutLink.length === 0) return
  const newLinks = withoutLink.map((affiliate) => ({ affiliate, token: undefined }))
  await insertLinks(tx, ctx, newLinks, now, placeIn())
}

async function readExisting(batch: Batch, records: RecordOf<'affiliate'>[]): Promise<ExistingAffiliates> {
  const { tx, ctx } = batch
  const programId = ctx.program.id
  const imported = await findImported(
    batch,
    'affiliate',
    records.map(({ externalId }) => externalId),
  )
  const campaigns = await findImported(
    batch,
    'campaign',
    records.map(({ campaignId }) => campaignId),
  )
  const rows = await tx.affiliate.findMany({
    where: {
      programId,
      OR: [{ id: { in: idsOf(imported) } }, { emailKey: { in: records.map(({ email }) => emailKey(email)) } }],
    },
  })
  const defaultCampaign = await tx.campaign.findFirst({ where: { programId, isDefault: true }, select: { id: true } })
  const archived = await tx.campaign.findMany({
    where: { programId, id: { in: idsOf(campaigns) }, archivedAt: { not: null } },
    select: { id: true },
  })
  return {
    imported,
    campaigns,
    archivedCampaignIds: new Set(archived.map(({ id }) => id)),
    affiliates: byId(rows),
    defaultCampaignId: defaultCampaign?.id,
    externalIds: await readExternalIds(
      batch,
      rows.map(({ id }) => id),
    ),
  }
}

async function readExternalIds({ tx, ctx }: Batch, ids: string[]): Promise<Map<string, string[]>> {
  if (ids.length === 0) return new Map()
  const where = { programId: ctx.program.id, kind: 'affiliate' as const, id: { in: ids } }
  const rows = await tx.importedRecord.findMany({ where, select: { id: true, externalId: true } })
  const externalIds = new Map<string, string[]>()
  for (const { id, externalId } of rows)
    if (id !== null) externalIds.set(id, [...(externalIds.get(id) ?? []), externalId])
  return externalIds
}

const affiliateColumns = [
  ...namesWith(resource.fields, 'default'),
  'campaignId',
  'email',
  'emailKey',
  'confirmedAt',
  'updatedAt',
]
