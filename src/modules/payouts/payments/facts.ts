import { statement } from '../../../database/client/sql.ts'
import { insertRows } from '../../../database/client/write.ts'
import type { PaymentFact, Prisma } from '../../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import type { Sql } from '../../../kernel/db.ts'
import { groupBy } from '../../../kernel/group-by.ts'
import { mintId } from '../../../kernel/ids.ts'
import { storedActor } from '../../history/actor.ts'
import type { KnownFact } from './fold.ts'

/** What to record of a payment. Without an amount it is about all of it; without a time it happened before now. */
export type NewFact = Pick<PaymentFact, 'itemId' | 'kind'> &
  Partial<Pick<PaymentFact, 'amountCents' | 'at' | 'reference' | 'reason'>>

type Row = Pick<PaymentFact, 'itemId' | 'kind' | 'at'> & { amountCents: bigint | string | null }
const factsOfItems = statement<Row>(`
  select item_id::text as "itemId", kind::text, at, amount_cents as "amountCents" from payment_facts
  where program_id = $1::uuid and item_id = any($2::uuid[]) order by recorded_at, id`)

/** What is known of payments, by their ids, in the order in which it was recorded. */
export async function readFacts(
  sql: Sql,
  programId: string,
  itemIds: readonly string[],
): Promise<Map<string, KnownFact[]>> {
  if (itemIds.length === 0) return new Map()
  const rows = await sql.query(factsOfItems, [programId, itemIds])
  const facts = rows.map(({ amountCents, at, ...row }) => {
    return { ...row, at: at && new Date(at), amountCents: amountCents === null ? null : BigInt(amountCents) }
  })
  return groupBy(facts, ({ itemId }) => itemId)
}

/** What is said of one payment. */
export type Said = Omit<NewFact, 'itemId'>

/**
 * What is said and not known yet. A fact with a time is known by its time. A part of an amount that is said again
 * without a time is the same part.
 */
export function unknownOf<S extends Said>(said: readonly S[], known: readonly KnownFact[]): S[] {
  const from = known.findLastIndex(({ kind }) => kind === 'cancelled') + 1
  return said.filter(({ kind, at = null, amountCents = null }) => {
    const within = at ? known : amountCents === null ? [] : known.slice(from)
    return !within.some(
      (fact) => fact.kind === kind && fact.amountCents === amountCents && (!at || fact.at?.getTime() === at.getTime()),
    )
  })
}

export function recordFacts(
  tx: Prisma.TransactionClient,
  { program, actor, requestId }: ProgramCtx,
  facts: readonly NewFact[],
  now: Date,
): Promise<void> {
  const rows = facts.map(({ amountCents = null, at = null, reference = null, reason = null, ...fact }) => ({
    programId: program.id,
    id: mintId(now),
    ...fact,
    amountCents,
    at,
    reference,
    reason,
    ...storedActor(actor),
    requestId,
    recordedAt: now,
  }))
  return insertRows(tx, 'payment_facts', rows)
}
