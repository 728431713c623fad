import { Prisma } from '../../generated/prisma/client.ts'
import type { Ctx } from '../../kernel/context.ts'
import type { HistoryEntry, HistorySubject } from './service.ts'

/** The field and table that have the present currency of a subject's amounts. */
const sources: Partial<Record<HistorySubject, { field: string; table: string; column: string }>> = {
  campaign: { field: 'commissionCurrency', table: 'campaigns', column: 'commission_currency' },
  payout: { field: 'currency', table: 'payouts', column: 'currency' },
  payout_run: { field: 'currency', table: 'payout_runs', column: 'currency' },
}

/** The currency of an entry, if the entry has it. Undefined: to be looked up. Null: it has no amount. */
export function ownCurrency({ subject, changes, currency }: HistoryEntry): string | null | undefined {
  if (!changes.some(({ field }) => field.endsWith('Cents'))) return null
  const source = sources[subject]
  if (!source) return currency ?? null
  const change = changes.find(({ field }) => field === source.field)
  return change ? (change.to ?? change.from) : undefined
}

/** The currency of each entry's amounts: what its next change began with, else the present one. Runs one statement. */
export async function currenciesOf(
  { db }: Pick<Ctx, 'db'>,
  programId: string,
  subject: HistorySubject,
  entries: readonly { id: string; subjectId: string }[],
): Promise<(string | null)[]> {
  const source = sources[subject]
  if (!source) return entries.map(() => null)
  const rows = await db.$queryRaw<{ id: string; currency: string | null }[]>`
    select entry.id, coalesce(
      (select fields -> ${source.field} ->> 0 from changes
        where program_id = ${programId}::uuid and subject = ${subject}::change_subject and subject_id = entry.subject_id
          and changes.id > entry.id and fields -> ${source.field} is not null
        order by changes.id limit 1),
      (select ${Prisma.raw(source.column)} from ${Prisma.raw(source.table)}
        where program_id = ${programId}::uuid and id = entry.subject_id)) as currency
    from unnest(${entries.map(({ id }) => id)}::uuid[], ${entries.map(({ subjectId }) => subjectId)}::uuid[])
      as entry (id, subject_id)`
  const known = new Map(rows.map(({ id, currency }) => [id, currency]))
  return entries.map(({ id }) => known.get(id) ?? null)
}
