import { statement } from '../../database/client/sql.ts'
import type { Affiliate, Campaign, Change } from '../../generated/prisma/client.ts'
import type { ChangeSubject } from '../../generated/prisma/enums.ts'
import type { Sql } from '../../kernel/db.ts'
import { kindsOf, restored, type StoredFields } from './fields.ts'

/**
 * A row at a point in time: the current row with all later changes undone. A change holds from its own instant on.
 * Before its creation, the row is as it was created.
 * @param changes in any order. The creation, and changes of fields that the row does not have, are ignored.
 */
export function rowAsOf<Row extends object>(
  subject: ChangeSubject,
  row: Row,
  changes: readonly RowChange[],
  moment: Date,
): Row {
  const later = changes.filter(({ at, action }) => at > moment && action !== 'created')
  if (later.length === 0) return row
  const newestFirst = later.sort((a, b) => b.at.getTime() - a.at.getTime() || (a.id < b.id ? 1 : -1))
  const kinds = kindsOf(subject)
  const earlier: Record<string, unknown> = {}
  for (const { fields } of newestFirst) {
    for (const [field, [from]] of Object.entries(fields as StoredFields)) {
      const kind = field in row ? kinds[field] : undefined
      if (kind) earlier[field] = restored(kind, from)
    }
  }
  return { ...row, ...earlier }
}

/** The campaign with the rules that were in force at a point in time. */
export async function campaignAsOf<C extends Pick<Campaign, 'programId' | 'id' | 'updatedAt'>>(
  sql: Sql,
  campaign: C,
  at: Date,
): Promise<C> {
  return rowAsOf('campaign', campaign, await changesAfter(sql, 'campaign', campaign, at), at)
}

export async function affiliateCampaignIdAsOf(
  sql: Sql,
  affiliate: Pick<Affiliate, 'programId' | 'id' | 'campaignId' | 'updatedAt'>,
  at: Date,
): Promise<string> {
  return rowAsOf('affiliate', affiliate, await changesAfter(sql, 'affiliate', affiliate, at), at).campaignId
}

type RowChange = Pick<Change, 'id' | 'action' | 'fields' | 'at'>

const laterChanges = statement<RowChange>(`
  select id, action, fields, at from changes
  where program_id = $1::uuid and subject = $2::change_subject and subject_id = $3::uuid and at > $4::timestamptz`)

async function changesAfter(
  sql: Sql,
  subject: 'campaign' | 'affiliate',
  { programId, id, updatedAt }: Pick<Campaign, 'programId' | 'id' | 'updatedAt'>,
  at: Date,
): Promise<RowChange[]> {
  return updatedAt <= at ? [] : sql.query(laterChanges, [programId, subject, id, at.toISOString()])
}
