import type { AffiliateLink } from '../../generated/prisma/client.ts'
import { mintId } from '../../kernel/ids.ts'
import { tokenKey } from '../../kernel/link-tokens.ts'
import { recordChanges } from '../history/record.ts'
import { type Batch, leaveOut, leaveOutUnresolved, note, readKnown, tell, updateRows } from './batch.ts'
import { keptSentence } from './campaigns.ts'
import type { RecordOf } from './input.ts'
import { madeAndChanged } from './moments.ts'
import { changedSince, storedFields } from './stored.ts'

const taken = { field: 'token', message: 'Token is already in use.' }

/** Links with the tokens they had, as they were spelled: what affiliates published keeps working. */
export async function takeLinks(batch: Batch, records: RecordOf<'affiliate_link'>[]): Promise<void> {
  if (records.length === 0) return
  const { tx, ctx, now } = batch
  const programId = ctx.program.id
  const known = await readKnown(
    batch,
    'affiliate_link',
    records.map(({ externalId }) => externalId),
  )
  const affiliates = await readKnown(
    batch,
    'affiliate',
    records.map(({ affiliateId }) => affiliateId),
  )
  for (const { kind, externalId, id, seen } of batch.remembered.values()) {
    if (kind === 'affiliate' && id !== null) affiliates.set(externalId, { externalId, id, seen })
  }
  const rows = await tx.affiliateLink.findMany({
    where: {
      programId,
      OR: [
        { id: { in: [...known.values()].map(({ id }) => id) } },
        { tokenKey: { in: records.map(({ token }) => tokenKey(token)) } },
      ],
    },
  })
  const byId = new Map(rows.map((row) => [row.id, row]))
  const byToken = new Map(rows.map((row) => [row.tokenKey, row]))
  const created: AffiliateLink[] = []
  const updated: { before: AffiliateLink; after: AffiliateLink }[] = []
  for (const record of records) {
    const { externalId, token } = record
    const affiliateId = affiliates.get(record.affiliateId)?.id
    if (affiliateId === undefined) {
      const missing = { field: 'affiliateId', kind: 'affiliate', externalId: record.affiliateId } as const
      leaveOutUnresolved(batch, 'affiliate_link', externalId, [missing], { token })
      continue
    }
    const seen = storedFields({ affiliateId, token })
    const before = known.get(externalId)
    const row = before && byId.get(before.id)
    const holder = byToken.get(tokenKey(token))
    if (before && row) {
      const { changes, kept } = changedSince(row, before.seen, { token })
      if (changes.token !== undefined && holder && holder.id !== row.id) {
        note(batch, 'affiliate_link', externalId, `Another link has the token ${token} here.`)
        delete changes.token
      }
      if (changes.token !== undefined) {
        const after = { ...row, token, tokenKey: tokenKey(token), updatedAt: record.updatedAt ?? now }
        updated.push({ before: row, after })
        byToken.set(after.tokenKey, after)
      }
      tell(batch, 'affiliate_link', externalId, changes.token === undefined ? 'unchanged' : 'updated', {
        id: row.id,
        seen,
      })
      if (kept.length > 0) note(batch, 'affiliate_link', externalId, keptSentence(kept))
    } else if (holder) {
      if (holder.affiliateId === affiliateId && !created.includes(holder))
        tell(batch, 'affiliate_link', externalId, 'unchanged', { id: holder.id, seen })
      else leaveOut(batch, 'affiliate_link', externalId, taken, seen)
    } else {
      const times = madeAndChanged(record, now)
      const counters = { visitors: 0, leads: 0, conversions: 0 }
      const id = mintId(times.createdAt)
      const link = { programId, id, affiliateId, token, tokenKey: tokenKey(token), ...counters, ...times }
      created.push(link)
      byToken.set(link.tokenKey, link)
      tell(batch, 'affiliate_link', externalId, 'created', { id, seen })
    }
  }
  await tx.affiliateLink.createMany({ data: created })
  await updateRows(
    batch,
    'affiliate_links',
    ['token', 'tokenKey', 'updatedAt'],
    updated.map(({ after }) => after),
  )
  await recordChanges(
    tx,
    ctx,
    [
      ...created.map((after) => ({
        ...subject,
        subjectId: after.affiliateId,
        action: 'link_created',
        before: null,
        after,
      })),
      ...updated.map(({ before, after }) => ({
        ...subject,
        subjectId: after.affiliateId,
        action: 'link_token_changed',
        before,
        after,
      })),
    ],
    now,
  )
}

const subject = { subject: 'affiliate' } as const
