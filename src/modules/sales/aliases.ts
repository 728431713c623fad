import { statement } from '../../database/client/sql.ts'
import { withSqlTransaction, withTransaction } from '../../database/client/transaction.ts'
import type { Sale } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import type { SqlTransaction } from '../../kernel/db.ts'
import { lockExternalIds } from '../referrals/lock.ts'
import { applyWaitingRefunds } from './refunds/waiting.ts'

/** An id that is that of a sale already stays so. A report with one of the others is not unattributed any more. */
const insertAliases = statement<{ hasWaitingRefunds: boolean }>(`
  with given as (
    select external_id from jsonb_array_elements_text($3::jsonb) as given (external_id)
    where not exists (select from sales s where s.program_id = $1::uuid and s.external_id = given.external_id)
  ), noted as (
    insert into sale_aliases (program_id, external_id, sale_id) select $1::uuid, external_id, $2::uuid from given
    on conflict do nothing
  ), attributed as (
    delete from unattributed_sales where program_id = $1::uuid and external_id in (select external_id from given)
  )
  select exists (select from waiting_refunds where program_id = $1::uuid and problem is null
    and sale_external_id in (select external_id from given)) as "hasWaitingRefunds"`)

/** Notes other ids of the payment of a sale. They are locked. */
export const insertAliasesOf = (
  tx: SqlTransaction,
  { programId, id }: Pick<Sale, 'programId' | 'id'>,
  externalIds: readonly string[],
) => tx.query(insertAliases, [programId, id, JSON.stringify(externalIds)])

/**
 * Notes other ids of the payment of a sale, so that a report or a refund with one of them is of this sale. Refunds that
 * wait for one of them are recorded.
 */
export async function recordAliases(
  ctx: ProgramCtx,
  { id }: Pick<Sale, 'id'>,
  externalIds: readonly string[],
): Promise<void> {
  if (externalIds.length === 0) return
  const programId = ctx.program.id
  const rows = await withSqlTransaction(ctx.db, async (tx) => {
    // A report takes this lock too, so that it sees the alias, or its sale is seen here.
    await lockExternalIds(tx, programId, externalIds)
    return insertAliasesOf(tx, { programId, id }, externalIds)
  })
  if (rows.some(({ hasWaitingRefunds }) => hasWaitingRefunds))
    await withTransaction(ctx.db, (tx) => applyWaitingRefunds(ctx, tx, externalIds))
}
