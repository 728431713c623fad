import type { Affiliate, Campaign, Change } from '../../generated/prisma/client.ts'
import type { ChangeSubject } from '../../generated/prisma/enums.ts'
import type { Db } from '../../kernel/context.ts'
import { kindsOf, restored, type StoredFields } from './fields.ts'

/**
 * A row as it was at a moment: its present, with each field put back to what it was before the first change after that
 * moment. A change is in force from its own instant on. Before the row was made, it is as it was made first.
 *
 * @param changes of this row, in any order; those that tell of something else, and of its making, are passed over
 */
export function asOf<Row extends object>(
  subject: ChangeSubject,
  row: Row,
  changes: readonly Pick<Change, 'id' | 'action' | 'fields' | 'at'>[],
  moment: Date,
): Row {
  const later = changes.filter(({ at, action }) => at > moment && action !== 'created')
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

/** The campaign as its rules stood at a moment. */
export async function campaignAsOf(tx: Db, campaign: Campaign, at: Date): Promise<Campaign> {
  return asOf('campaign', campaign, await changesAfter(tx, 'campaign', campaign, at), at)
}

/** The campaign that the affiliate was in at a moment. */
export async function affiliateCampaignIdAsOf(tx: Db, affiliate: Affiliate, at: Date): Promise<string> {
  return asOf('affiliate', affiliate, await changesAfter(tx, 'affiliate', affiliate, at), at).campaignId
}

const changesAfter = (tx: Db, subject: ChangeSubject, { programId, id }: { programId: string; id: string }, at: Date) =>
  tx.change.findMany({ where: { programId, subject, subjectId: id, at: { gt: at } } })
