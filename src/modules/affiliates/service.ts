import { withTransaction, writeUnique } from '../../database/client/transaction.ts'
import type { Affiliate, Prisma } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { emailKey } from '../../kernel/email.ts'
import { invalid } from '../../kernel/errors.ts'
import { parseInput } from '../../kernel/input/parse.ts'
import { eventsOf, recordEvents } from '../events/record.ts'
import { differs } from '../history/fields.ts'
import { recordChange } from '../history/record.ts'
import { referenceProblems } from './create.ts'
import { findAffiliate } from './find.ts'
import { updateAffiliateInput } from './input.ts'
import { holdAffiliateFields } from './own-fields/definitions.ts'
import { type OwnFields, readOwnFields, withChanges } from './own-fields/values.ts'

type Tx = Prisma.TransactionClient

/** What else happens with an update, in its transaction. */
export type WithUpdate = {
  /** Further columns of the update. The row is locked. */
  columns?: (before: Affiliate, given: Partial<Affiliate>, now: Date) => Partial<Affiliate>
  /** Runs also if no field has changed. */
  afterwards?: (tx: Tx, before: Affiliate, after: Affiliate, now: Date) => Promise<void>
}

/** Updates the given fields. A move to another campaign leaves existing referrals and commissions. */
export async function updateAffiliate(
  ctx: ProgramCtx,
  namedId: string,
  raw: unknown,
  { columns, afterwards }: WithUpdate = {},
): Promise<Affiliate> {
  const own = await findAffiliate(ctx, namedId)
  const { id } = own
  const programId = ctx.program.id
  const check = () =>
    parseInput(updateAffiliateInput, raw, async (readable) => (await referenceProblems(ctx, [readable], own)).flat())
  return writeUnique(check, (input) =>
    withTransaction(ctx.db, async (tx) => {
      await tx.$queryRaw`select 1 from affiliates where program_id = ${programId}::uuid and id = ${id}::uuid for update`
      const where = { programId_id: { programId, id } }
      const before = await tx.affiliate.findUniqueOrThrow({ where })
      const now = ctx.now()
      const { ownFields, ...fields } = input
      const given = {
        ...fields,
        ...(ownFields && { ownFields: await changedOwnFields(tx, ctx, before, ownFields) }),
        ...(input.email ? { emailKey: emailKey(input.email) } : {}),
      }
      const changed = { ...given, ...columns?.(before, given, now) }
      if (!differs('affiliate', before, changed)) {
        await afterwards?.(tx, before, before, now)
        return before
      }
      const after = await tx.affiliate.update({ where, data: updateOf(changed, now) })
      await recordChange(tx, ctx, { subject: 'affiliate', subjectId: id, action: 'updated' }, before, after, now)
      await recordEvents(tx, ctx, eventsOf(id, ['affiliate.updated']), now)
      await afterwards?.(tx, before, after, now)
      return after
    }),
  )
}

/** The type of columns of JSON is another one in Prisma's updates. */
export const updateOf = (changed: Partial<Affiliate>, now: Date): Prisma.AffiliateUncheckedUpdateInput =>
  Object.assign({}, changed as Prisma.AffiliateUncheckedUpdateInput, { updatedAt: now })

async function changedOwnFields(tx: Tx, ctx: ProgramCtx, before: Affiliate, given: unknown[]): Promise<OwnFields> {
  const { changes, problems } = readOwnFields(await holdAffiliateFields(tx, ctx), given)
  if (problems.length > 0) throw invalid(problems)
  return withChanges(before.ownFields as OwnFields, changes)
}
