import type { AffiliateLink } from '../../generated/prisma/client.ts'
import { mintId } from '../../kernel/ids.ts'
import { tokenKey } from '../affiliates/tokens.ts'
import { type Batch, byId, findImported, idsOf, recordHistory, updateRows } from './batch.ts'
import type { RecordOf } from './input.ts'
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
} from './plan.ts'
import { mergeChanges, snapshotOf } from './snapshot.ts'
import { timestampsOf } from './timestamps.ts'

type LinkRecord = RecordOf<'affiliate_link'>

export type ExistingLinks = {
  imported: Map<string, ImportedRecord>
  affiliates: Map<string, ImportedRecord>
  links: AffiliateLink[]
}

/** Imports links with their tokens in the original spelling, so that published links keep working. */
export async function importLinks(batch: Batch, records: LinkRecord[]): Promise<void> {
  if (records.length === 0) return
  await writeLinks(batch, planLinks(batch, await readExistingLinks(batch, records), records))
}

export async function readExistingLinks(batch: Batch, records: LinkRecord[]): Promise<ExistingLinks> {
  const imported = await findImported(
    batch,
    'affiliate_link',
    records.map(({ externalId }) => externalId),
  )
  const affiliates = await findImported(
    batch,
    'affiliate',
    records.map(({ affiliateId }) => affiliateId),
  )
  const links = await batch.tx.affiliateLink.findMany({
    where: {
      programId: batch.ctx.program.id,
      OR: [{ id: { in: idsOf(imported) } }, { tokenKey: { in: records.map(({ token }) => tokenKey(token)) } }],
    },
  })
  return { imported, affiliates, links }
}

export function planLinks(
  plan: BatchPlan,
  existing: ExistingLinks,
  records: readonly LinkRecord[],
): RowWrites<AffiliateLink> {
  const programId = plan.ctx.program.id
  const rows = byId(existing.links)
  const byToken = new Map(existing.links.map((row) => [row.tokenKey, row]))
  const writes = noWrites<AffiliateLink>()
  for (const record of records) {
    const { externalId, token } = record
    const planned = plan.records.get(`affiliate ${record.affiliateId}`)
    const affiliateId = planned?.id ?? existing.affiliates.get(record.affiliateId)?.id
    if (affiliateId === undefined) {
      const missing = { field: 'affiliateId', kind: 'affiliate' } as const
      leaveOutUnresolved(plan, 'affiliate_link', externalId, [missing], { token })
      continue
    }
    const snapshot = snapshotOf({ affiliateId, token })
    const imported = existing.imported.get(externalId)
    const row = imported && rows.get(imported.id)
    const holder = byToken.get(tokenKey(token))
    if (imported && row) {
      const { changes, conflicts } = mergeChanges(row, imported.snapshot, { token })
      const isTaken = changes.token !== undefined && holder !== undefined && holder.id !== row.id
      const isChanged = changes.token !== undefined && !isTaken
      if (isTaken) addNote(plan, 'affiliate_link', externalId, `Another link here has the token ${token}.`)
      if (isChanged) {
        const after = { ...row, token, tokenKey: tokenKey(token), updatedAt: record.updatedAt ?? plan.now }
        writes.updated.push({ before: row, after })
        byToken.set(after.tokenKey, after)
      }
      recordOutcome(plan, 'affiliate_link', externalId, isChanged ? 'updated' : 'unchanged', { id: row.id, snapshot })
      noteConflicts(plan, 'affiliate_link', externalId, conflicts)
    } else if (holder?.affiliateId === affiliateId && !writes.created.includes(holder)) {
      recordOutcome(plan, 'affiliate_link', externalId, 'unchanged', { id: holder.id, snapshot })
    } else if (holder) {
      const problem = { field: 'token', message: 'Token is already in use.' }
      leaveOut(plan, 'affiliate_link', externalId, problem, snapshot)
    } else {
      const times = timestampsOf(record, plan.now)
      const counters = { visitors: 0, leads: 0, conversions: 0 }
      const id = mintId(times.createdAt)
      const link = {
        programId,
        id,
        affiliateId,
        token,
        tokenKey: tokenKey(token),
        archivedAt: null,
        ...counters,
        ...times,
      }
      writes.created.push(link)
      byToken.set(link.tokenKey, link)
      recordOutcome(plan, 'affiliate_link', externalId, 'created', { id, snapshot })
    }
  }
  return writes
}

export async function writeLinks(batch: Batch, writes: RowWrites<AffiliateLink>): Promise<void> {
  await batch.tx.affiliateLink.createMany({ data: writes.created })
  await updateRows(
    batch,
    'affiliate_links',
    ['token', 'tokenKey', 'updatedAt'],
    writes.updated.map(({ after }) => after),
  )
  await recordHistory(batch, writes, {
    subject: 'affiliate',
    subjectId: ({ affiliateId }) => affiliateId,
    created: 'link_created',
    updated: 'link_token_changed',
  })
}
