import { withTransaction } from '../../../database/client/transaction.ts'
import type { UnattributedSale } from '../../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { findById } from '../../../kernel/lookup.ts'
import { storedActor } from '../../history/actor.ts'
import { recordChange } from '../../history/record.ts'
import { stillKept } from './service.ts'

const notDismissed = { dismissedAt: null, dismissedByKind: null, dismissedById: null }

/** Records who decided that a sale belongs to no affiliate, or withdraws that. Idempotent. @throws NOT_FOUND */
export function dismissUnattributedSale(
  ctx: ProgramCtx,
  saleId: string,
  isDismissed: boolean,
): Promise<UnattributedSale> {
  const { actorKind, actorId } = storedActor(ctx.actor)
  const now = ctx.now()
  const data = isDismissed ? { dismissedAt: now, dismissedByKind: actorKind, dismissedById: actorId } : notDismissed
  return findById('Unattributed sale', saleId, async (id) => {
    const where = { ...stillKept(ctx), id }
    const toChange = { ...where, dismissedAt: isDismissed ? null : { not: null } }
    return withTransaction(ctx.db, async (tx) => {
      const before = await tx.unattributedSale.findFirst({ where: toChange })
      const { count } = await tx.unattributedSale.updateMany({ where: toChange, data })
      const action = isDismissed ? 'dismissed' : 'restored'
      const what = { subject: 'unattributed_sale', subjectId: id, action } as const
      if (count > 0) await recordChange(tx, ctx, what, before, { ...before, ...data }, now)
      return tx.unattributedSale.findFirst({ where })
    })
  })
}
