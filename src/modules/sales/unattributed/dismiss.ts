import type { UnattributedSale } from '../../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { findById } from '../../../kernel/lookup.ts'
import { storedActor } from '../../history/actor.ts'
import { stillKept } from './service.ts'

const notDismissed = { dismissedAt: null, dismissedByKind: null, dismissedById: null }

/**
 * Records that an unattributed sale belongs to no affiliate, with who decided it, or takes that back. Idempotent: of several
 * dismissals, the first counts. The sale can still be attributed, by a later report of it or by hand.
 *
 * @throws NOT_FOUND
 */
export function dismissUnattributedSale(
  ctx: ProgramCtx,
  saleId: string,
  isDismissed: boolean,
): Promise<UnattributedSale> {
  const { actorKind, actorId } = storedActor(ctx.actor)
  const data = isDismissed
    ? { dismissedAt: ctx.now(), dismissedByKind: actorKind, dismissedById: actorId }
    : notDismissed
  return findById('Unattributed sale', saleId, async (id) => {
    const where = { ...stillKept(ctx), id }
    await ctx.db.unattributedSale.updateMany({ where: { ...where, ...(isDismissed && { dismissedAt: null }) }, data })
    return ctx.db.unattributedSale.findFirst({ where })
  })
}
