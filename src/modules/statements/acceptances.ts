import { statement } from '../../database/client/sql.ts'
import type { AcceptedDifference } from '../../generated/prisma/client.ts'
import type { ActorKind } from '../../generated/prisma/enums.ts'
import type { SqlTransaction } from '../../kernel/db.ts'

/** Who accepted a difference, and why. */
export type Acceptance = { programId: string; reason: string; at: Date; byKind: ActorKind; byId: string | null }

type Difference = Pick<AcceptedDifference, 'kind' | 'currency' | 'differenceCents'> & { id: string; reason: string }

/** What a person saw of a difference. If it changes, the acceptance does not cover it. */
export const keyOf = ({ kind, id, currency, differenceCents, reason }: Difference): string =>
  [kind, id, currency ?? '-', differenceCents ?? reason].join(' ')

type Row = {
  kind: AcceptedDifference['kind']
  subjectId: string
  currency: string | null
  cents: string | null
  what: string
  reason: string
  at: string
  byKind: ActorKind
  byId: string | null
}

const accepted = statement<Row>(`
  select kind::text, subject_id::text as "subjectId", currency, difference_cents::text as cents, what, reason,
    to_json(accepted_at) #>> '{}' as at, accepted_by_kind::text as "byKind", accepted_by_id::text as "byId"
  from accepted_differences where program_id = $1::uuid and month = $2 order by id`)

/** Finds the acceptance that covers a difference of a month. */
export async function acceptedOf(
  sql: Pick<SqlTransaction, 'query'>,
  programId: string,
  month: string,
): Promise<(difference: Difference) => Acceptance | null> {
  const rows = await sql.query(accepted, [programId, month])
  const byKey = new Map(
    rows.map(({ kind, subjectId: id, currency, cents, what, reason, at, byKind, byId }) => [
      keyOf({ kind, id, currency, differenceCents: cents === null ? null : BigInt(cents), reason: what }),
      { programId, reason, at: new Date(at), byKind, byId },
    ]),
  )
  return (difference) => byKey.get(keyOf(difference)) ?? null
}
