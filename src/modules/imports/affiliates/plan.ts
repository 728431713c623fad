import type { Affiliate } from '../../../generated/prisma/client.ts'
import { emailKey } from '../../../kernel/email.ts'
import { mintId } from '../../../kernel/ids.ts'
import { readFields } from '../../../kernel/input/parse.ts'
import { type GivenToAffiliate, newAffiliate, nothingSold } from '../../../resources/affiliates.ts'
import { campaignArchived } from '../../affiliates/create.ts'
import { affiliateStates } from '../../affiliates/input.ts'
import { type RecordOf, recordInputs } from '../input.ts'
import {
  addNote,
  type BatchPlan,
  type ImportedRecord,
  leaveOut,
  leaveOutUnresolved,
  noteConflicts,
  noWrites,
  type RowWrites,
  recordOutcome,
} from '../plan.ts'
import { mergeChanges, shownFields, snapshotOf } from '../snapshot.ts'
import { timestampsOf } from '../timestamps.ts'

type AffiliateRecord = RecordOf<'affiliate'>
type LinkRecord = RecordOf<'affiliate_link'>

export type ExistingAffiliates = {
  imported: Map<string, ImportedRecord>
  campaigns: Map<string, ImportedRecord>
  archivedCampaignIds: Set<string>
  /** By id: the imported affiliates, and affiliates with these e-mail addresses. */
  affiliates: Map<string, Affiliate>
  defaultCampaignId: string | undefined
  externalIds: Map<string, string[]>
}

type Fields = GivenToAffiliate & Pick<Affiliate, 'campaignId' | 'email' | 'confirmedAt'>

type Plan = { affiliates: RowWrites<Affiliate>; links: LinkRecord[] }

export function planAffiliates(plan: BatchPlan, existing: ExistingAffiliates, records: AffiliateRecord[]): Plan {
  const writes = noWrites<Affiliate>()
  const links: LinkRecord[] = []
  const idByEmail = new Map([...existing.affiliates.values()].map((row) => [row.emailKey, row.id]))
  const isImported = ({ externalId }: AffiliateRecord) => existing.imported.has(externalId)
  // Imported affiliates come first: one of them may give up an e-mail address that a new one has now.
  for (const record of [...records.filter(isImported), ...records.filter((one) => !isImported(one))]) {
    const { externalId, campaignId: sourceCampaignId } = record
    const campaignId =
      sourceCampaignId === undefined ? existing.defaultCampaignId : existing.campaigns.get(sourceCampaignId)?.id
    if (campaignId === undefined && sourceCampaignId === undefined) {
      const message = 'The source shows no campaign of the affiliate, and there is no default campaign here.'
      leaveOut(plan, 'affiliate', externalId, { field: 'campaignId', message }, { email: record.email })
      continue
    }
    if (campaignId === undefined) {
      const missing = { field: 'campaignId', kind: 'campaign' } as const
      leaveOutUnresolved(plan, 'affiliate', externalId, [missing], { email: record.email })
      continue
    }
    const fields = affiliateFields(plan, record, campaignId)
    links.push(...linksOf(plan, record))
    const imported = existing.imported.get(externalId)
    const row = imported && existing.affiliates.get(imported.id)
    const holderId = idByEmail.get(emailKey(record.email))
    if (imported && row) {
      const after = planUpdate(plan, existing, record, { imported, row, fields, holderId })
      if (!after) continue
      writes.updated.push({ before: row, after })
      if (after.emailKey === row.emailKey) continue
      idByEmail.delete(row.emailKey)
      idByEmail.set(after.emailKey, row.id)
    } else if (holderId !== undefined) {
      planMatch(plan, existing, record, fields, {
        id: holderId,
        isNew: writes.created.some((one) => one.id === holderId),
      })
    } else if (existing.archivedCampaignIds.has(campaignId)) {
      leaveOut(plan, 'affiliate', externalId, campaignArchived, snapshotOf(fields))
    } else {
      const affiliate = newRow(plan, record, fields)
      writes.created.push(affiliate)
      idByEmail.set(affiliate.emailKey, affiliate.id)
      recordOutcome(plan, 'affiliate', externalId, 'created', { id: affiliate.id, snapshot: snapshotOf(fields) })
    }
  }
  return { affiliates: writes, links }
}

/** The row with the changes of the source; null without changes. */
function planUpdate(
  plan: BatchPlan,
  { archivedCampaignIds }: ExistingAffiliates,
  record: AffiliateRecord,
  known: { imported: ImportedRecord; row: Affiliate; fields: Fields; holderId: string | undefined },
): Affiliate | null {
  const { imported, row, holderId } = known
  const { externalId, email, shown } = record
  const fields = shownFields(known.fields, (field) => shown.has(field))
  const { changes, conflicts } = mergeChanges(row, imported.snapshot, fields)
  if (changes.email !== undefined && holderId !== undefined && holderId !== row.id) {
    delete changes.email
    addNote(plan, 'affiliate', externalId, `Another affiliate here has the e-mail address ${email}.`)
  }
  const snapshot = { ...imported.snapshot, ...snapshotOf(fields) }
  if (changes.campaignId !== undefined && archivedCampaignIds.has(changes.campaignId)) {
    delete changes.campaignId
    // The next run after the campaign is unarchived sees the change again.
    snapshot.campaignId = row.campaignId
    addNote(plan, 'affiliate', externalId, 'The new campaign is archived here. The affiliate keeps the earlier one.')
  }
  const isChanged = Object.keys(changes).length > 0
  recordOutcome(plan, 'affiliate', externalId, isChanged ? 'updated' : 'unchanged', { id: row.id, snapshot })
  noteConflicts(plan, 'affiliate', externalId, conflicts)
  if (!isChanged) return null
  const after = { ...row, ...changes, updatedAt: record.updatedAt ?? plan.now }
  return changes.email === undefined ? after : { ...after, emailKey: emailKey(changes.email) }
}

/** Matches a record with the affiliate here with its e-mail. Two affiliates of the source never become one. */
function planMatch(
  plan: BatchPlan,
  existing: ExistingAffiliates,
  { externalId }: AffiliateRecord,
  fields: Fields,
  holder: { id: string; isNew: boolean },
): void {
  const snapshot = snapshotOf(fields)
  const others = existing.externalIds.get(holder.id)?.filter((other) => other !== externalId) ?? []
  if (others.length > 0 || holder.isNew) {
    const problem = { field: 'email', message: 'Email has already been taken' }
    leaveOut(plan, 'affiliate', externalId, problem, snapshot)
    return
  }
  recordOutcome(plan, 'affiliate', externalId, 'unchanged', { id: holder.id, snapshot })
  addNote(plan, 'affiliate', externalId, 'Matched by e-mail with an affiliate who exists here and stays unchanged.')
}

function newRow({ ctx, now }: BatchPlan, record: AffiliateRecord, fields: Fields): Affiliate {
  const times = timestampsOf(record, now)
  const counters = { visitors: 0, leads: 0, conversions: 0, signInCount: 0, ...nothingSold }
  const columns = { programId: ctx.program.id, id: mintId(times.createdAt), emailKey: emailKey(fields.email) }
  const payment = { preferredPayoutMethod: null, recipientType: null, iban: null, bic: null, stripeAccount: null }
  return { ...columns, ...fields, ...payment, ...counters, ...times }
}

function affiliateFields(plan: BatchPlan, record: AffiliateRecord, campaignId: string): Fields {
  const { state: sourceState = 'active' } = record
  const state = affiliateStates.find((one) => one === sourceState.toLowerCase())
  if (!state) {
    const sentence = `The state "${sourceState}" is unknown. The affiliate was imported as disabled.`
    addNote(plan, 'affiliate', record.externalId, sentence)
  }
  return {
    campaignId,
    email: record.email,
    ...newAffiliate({ ...record, state: state ?? 'disabled' }),
    confirmedAt: record.confirmedAt ?? null,
  }
}

function linksOf(plan: BatchPlan, record: AffiliateRecord): LinkRecord[] {
  const { externalId: affiliateId, links = [], createdAt } = record
  return links.flatMap((raw) => {
    const { readable, problems } = readFields(recordInputs.affiliate_link, { ...(raw as object), affiliateId })
    const { externalId } = readable
    if (externalId === undefined) return []
    if (problems[0]) {
      leaveOut(plan, 'affiliate_link', externalId, problems[0])
      return []
    }
    const link = readable as LinkRecord
    return [{ ...link, ...(link.createdAt || !createdAt ? {} : { createdAt }) }]
  })
}

/** Notes which new affiliates have no link of the source, and why. */
export function noteMissingLinks(
  plan: BatchPlan,
  affiliates: readonly Affiliate[],
  records: readonly AffiliateRecord[],
): void {
  const ids = new Set(affiliates.map(({ id }) => id))
  for (const { externalId, links = [] } of records) {
    if (!ids.has(plan.records.get(`affiliate ${externalId}`)?.id ?? '')) continue
    const reason = links.length > 0 ? 'None of the links could be imported.' : 'The source shows no link.'
    addNote(plan, 'affiliate', externalId, `${reason} A new link was created.`)
  }
}
