import { withTransaction } from '../../../database/client/transaction.ts'
import type { Affiliate } from '../../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { invalid } from '../../../kernel/errors.ts'
import { parseInput } from '../../../kernel/input/parse.ts'
import { eventsOf, recordEvents } from '../../events/record.ts'
import { recordChanges } from '../../history/record.ts'
import { memberProblems } from '../groups/service.ts'
import { holdAffiliateFields } from './definitions.ts'
import { setOwnFieldsInput } from './input.ts'
import { ownFieldProblems } from './problems.ts'
import { type OwnFields, readOwnFields, withChanges } from './values.ts'

/**
 * Gives affiliates the same values of own fields: all or none. An affiliate who has them already does not change.
 * @returns their ids @throws INVALID_INPUT with every problem
 */
export async function setOwnFields(ctx: ProgramCtx, raw: unknown): Promise<string[]> {
  const { affiliateIds, ownFields } = await parseInput(setOwnFieldsInput, raw, async (readable) => [
    ...(await memberProblems(ctx, readable.affiliateIds ?? [])),
    ...(await ownFieldProblems(ctx, [readable])).flat(),
  ])
  const programId = ctx.program.id
  const ids = [...new Set(affiliateIds)]
  await withTransaction(ctx.db, async (tx) => {
    const { changes, problems } = readOwnFields(await holdAffiliateFields(tx, ctx), ownFields)
    if (problems.length > 0) throw invalid(problems)
    await tx.$queryRaw`
      select 1 from affiliates where program_id = ${programId}::uuid and id = any(${ids}::uuid[]) order by id for update`
    const before = await tx.affiliate.findMany({ where: { programId, id: { in: ids } } })
    const now = ctx.now()
    const changed = before.flatMap((affiliate) => {
      const after = withChanges(affiliate.ownFields as OwnFields, changes)
      return isSame(affiliate, after) ? [] : [{ before: affiliate, after: { ...affiliate, ownFields: after } }]
    })
    if (changed.length === 0) return
    const removed = Object.keys(changes).filter((name) => changes[name] === null)
    await tx.$executeRaw`
      update affiliates set updated_at = ${now},
        own_fields = (own_fields || ${JSON.stringify(changes)}::jsonb) - ${removed}::text[]
      where program_id = ${programId}::uuid and id = any(${changed.map((one) => one.before.id)}::uuid[])`
    const entries = changed.map((one) => {
      return { subject: 'affiliate' as const, subjectId: one.before.id, action: 'updated' as const, ...one }
    })
    await recordChanges(tx, ctx, entries, now)
    const events = changed.flatMap((one) => eventsOf(one.before.id, ['affiliate.updated']))
    await recordEvents(tx, ctx, events, now)
  })
  return ids
}

const isSame = ({ ownFields }: Affiliate, after: OwnFields): boolean =>
  JSON.stringify(ownFields) === JSON.stringify(after)
