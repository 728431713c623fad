import type { Affiliate } from '../../generated/prisma/client.ts'
import { emailKey } from '../../kernel/email.ts'
import { mintId } from '../../kernel/ids.ts'
import { placeIn } from '../../kernel/input/entries.ts'
import { readFields } from '../../kernel/input/parse.ts'
import { affiliateStates } from '../affiliates/input.ts'
import { insertLinks } from '../affiliates/links/service.ts'
import { recordChanges } from '../history/record.ts'
import { type Batch, leaveOut, leaveOutUnresolved, note, readKnown, tell, updateRows } from './batch.ts'
import { keptSentence } from './campaigns.ts'
import { type RecordOf, recordInputs } from './input.ts'
import { takeLinks } from './links.ts'
import { madeAndChanged } from './moments.ts'
import { changedSince, storedFields } from './stored.ts'

type Fields = Pick<
  Affiliate,
  | 'campaignId'
  | 'email'
  | 'firstName'
  | 'lastName'
  | 'walletAEmail'
  | 'walletBEmail'
  | 'billingCustomerId'
  | 'state'
  | 'confirmedAt'
  | 'receiveNewCommissionNotifications'
>

/**
 * Affiliates with the links that are told with them. Who is an affiliate here already, by e-mail, is taken as the same
 * one and stays as they are; their links of the source are added to them.
 */
export async function takeAffiliates(batch: Batch, records: RecordOf<'affiliate'>[]): Promise<void> {
  const { tx, ctx, now } = batch
  const programId = ctx.program.id
  const known = await readKnown(
    batch,
    'affiliate',
    records.map(({ externalId }) => externalId),
  )
  const campaigns = await readKnown(
    batch,
    'campaign',
    records.map(({ campaignId }) => campaignId),
  )
  const rows = await tx.affiliate.findMany({
    where: {
      programId,
      OR: [
        { id: { in: [...known.values()].map(({ id }) => id) } },
        { emailKey: { in: records.map(({ email }) => emailKey(email)) } },
      ],
    },
  })
  const byId = new Map(rows.map((row) => [row.id, row]))
  const byEmail = new Map(rows.map((row) => [row.emailKey, row.id]))
  const defaultCampaign = await tx.campaign.findFirst({ where: { programId, isDefault: true }, select: { id: true } })
  const standsFor = await readStandsFor(batch, [...byId.keys()])
  const created: Affiliate[] = []
  const updated: { before: Affiliate; after: Affiliate }[] = []
  const wanted: RecordOf<'affiliate_link'>[] = []
  // Those that are known come first: an address that one gave up may be another's by now.
  const inOrder = [...records].sort((a, b) => Number(known.has(b.externalId)) - Number(known.has(a.externalId)))
  for (const record of inOrder) {
    const { externalId } = record
    const campaignId = record.campaignId === undefined ? defaultCampaign?.id : campaigns.get(record.campaignId)?.id
    if (campaignId === undefined) {
      const missing = { field: 'campaignId', kind: 'campaign', externalId: record.campaignId ?? '' } as const
      leaveOutUnresolved(batch, 'affiliate', externalId, [missing], { email: record.email })
      continue
    }
    const fields = fieldsOf(batch, record, campaignId)
    const seen = storedFields(fields)
    const before = known.get(externalId)
    const row = before && byId.get(before.id)
    const holder = byEmail.get(emailKey(record.email))
    wanted.push(...linksOf(batch, record))
    if (before && row) {
      const { changes, kept } = changedSince(row, before.seen, fields)
      if (changes.email !== undefined && holder !== undefined && holder !== row.id) {
        delete changes.email
        note(batch, 'affiliate', externalId, `Another affiliate has the e-mail ${record.email}.`)
      }
      const isChanged = Object.keys(changes).length > 0
      if (isChanged) {
        const after = { ...row, ...changes, updatedAt: record.updatedAt ?? now }
        updated.push({ before: row, after: { ...after, emailKey: emailKey(after.email) } })
        if (changes.email !== undefined) {
          byEmail.delete(row.emailKey)
          byEmail.set(emailKey(after.email), row.id)
        }
      }
      tell(batch, 'affiliate', externalId, isChanged ? 'updated' : 'unchanged', { id: row.id, seen })
      if (kept.length > 0) note(batch, 'affiliate', externalId, keptSentence(kept))
    } else if (holder !== undefined) {
      const others = standsFor.get(holder)?.filter((other) => other !== externalId) ?? []
      if (others.length > 0 || created.some(({ id }) => id === holder)) {
        leaveOut(batch, 'affiliate', externalId, { field: 'email', message: 'Email has already been taken' }, seen)
        continue
      }
      tell(batch, 'affiliate', externalId, 'unchanged', { id: holder, seen })
      note(batch, 'affiliate', externalId, 'Was an affiliate here already, by e-mail, and is taken as the same one.')
    } else {
      const times = madeAndChanged(record, now)
      const affiliate = newAffiliate(programId, mintId(times.createdAt), fields, times)
      created.push(affiliate)
      byEmail.set(affiliate.emailKey, affiliate.id)
      tell(batch, 'affiliate', externalId, 'created', { id: affiliate.id, seen })
    }
  }
  await updateRows(
    batch,
    'affiliates',
    affiliateColumns,
    updated.map(({ after }) => after),
  )
  await tx.affiliate.createMany({ data: created })
  await recordChanges(
    tx,
    ctx,
    [
      ...created.map((after) => ({ ...subject, subjectId: after.id, action: 'created', before: null, after })),
      ...updated.map(({ before, after }) => ({ ...subject, subjectId: after.id, action: 'updated', before, after })),
    ],
    now,
  )
  await takeLinks(batch, wanted)
  await giveFirstLinks(batch, created)
}

/** Whom of a source each of these affiliates stands for already: two of there never become one here. */
async function readStandsFor({ tx, ctx }: Batch, ids: string[]): Promise<Map<string, string[]>> {
  if (ids.length === 0) return new Map()
  const where = { programId: ctx.program.id, kind: 'affiliate' as const, id: { in: ids } }
  const rows = await tx.importedRecord.findMany({ where, select: { id: true, externalId: true } })
  const standsFor = new Map<string, string[]>()
  for (const { id, externalId } of rows) if (id !== null) standsFor.set(id, [...(standsFor.get(id) ?? []), externalId])
  return standsFor
}

const subject = { subject: 'affiliate' } as const

const newAffiliate = (
  programId: string,
  id: string,
  fields: Fields,
  times: { createdAt: Date; updatedAt: Date },
): Affiliate =>
  ({
    programId,
    id,
    ...fields,
    emailKey: emailKey(fields.email),
    visitors: 0,
    leads: 0,
    conversions: 0,
    ...times,
  }) as Affiliate

const affiliateColumns = [
  'campaignId',
  'email',
  'emailKey',
  'firstName',
  'lastName',
  'walletAEmail',
  'walletBEmail',
  'billingCustomerId',
  'state',
  'confirmedAt',
  'receiveNewCommissionNotifications',
  'updatedAt',
] satisfies (keyof Affiliate)[]

function fieldsOf(batch: Batch, record: RecordOf<'affiliate'>, campaignId: string): Fields {
  const { state = 'active' } = record
  const known = affiliateStates.find((one) => one === state.toLowerCase())
  if (!known) {
    note(batch, 'affiliate', record.externalId, `The state "${state}" is not known here: taken over as disabled.`)
  }
  return {
    campaignId,
    email: record.email,
    firstName: record.firstName ?? null,
    lastName: record.lastName ?? null,
    walletAEmail: record.walletAEmail ?? null,
    walletBEmail: record.walletBEmail ?? null,
    billingCustomerId: record.billingCustomerId ?? null,
    state: known ?? 'disabled',
    confirmedAt: record.confirmedAt ?? null,
    receiveNewCommissionNotifications: record.receiveNewCommissionNotifications ?? true,
  }
}

/** The links that a record has in it, those that can be read. */
function linksOf(batch: Batch, { externalId: affiliateId, links = [], createdAt }: RecordOf<'affiliate'>) {
  return links.flatMap((raw) => {
    const { readable, problems } = readFields(recordInputs.affiliate_link, { ...(raw as object), affiliateId })
    const { externalId } = readable
    if (externalId === undefined) return []
    if (problems[0]) {
      leaveOut(batch, 'affiliate_link', externalId, problems[0])
      return []
    }
    const link = readable as RecordOf<'affiliate_link'>
    return [{ ...link, ...(link.createdAt || !createdAt ? {} : { createdAt }) }]
  })
}

/** Every affiliate has a link: who came without one that could be taken over gets one made of their name. */
async function giveFirstLinks(batch: Batch, created: Affiliate[]): Promise<void> {
  if (created.length === 0) return
  const { tx, ctx, now } = batch
  const where = { programId: ctx.program.id, affiliateId: { in: created.map(({ id }) => id) } }
  const links = await tx.affiliateLink.findMany({ where, select: { affiliateId: true } })
  const holders = new Set(links.map(({ affiliateId }) => affiliateId))
  const without = created.filter(({ id }) => !holders.has(id))
  if (without.length === 0) return
  await insertLinks(
    tx,
    ctx,
    without.map((affiliate) => ({ affiliate, token: undefined })),
    now,
    placeIn(),
  )
  const ids = new Set(without.map(({ id }) => id))
  for (const { kind, externalId, id } of [...batch.remembered.values()]) {
    if (kind === 'affiliate' && id !== null && ids.has(id))
      note(batch, 'affiliate', externalId, 'Has no link that could be taken over: a new one was made.')
  }
}
