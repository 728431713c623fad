import { withTransaction } from '../../../database/client/transaction.ts'
import type { ShadowAcceptance } from '../../../generated/prisma/client.ts'
import type { ShadowAcceptedAs } from '../../../generated/prisma/enums.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { notFound } from '../../../kernel/errors.ts'
import { parseInput } from '../../../kernel/input/parse.ts'
import { storedActor } from '../../history/actor.ts'
import { recordChanges } from '../../history/record.ts'
import { acceptShadowDifferencesInput, reopenShadowDifferencesInput } from '../input.ts'
import { compare, type SaleDifference } from './compare.ts'
import { readOurs, readTheirs } from './read-sales.ts'

export type Accepted = Pick<
  ShadowAcceptance,
  'programId' | 'acceptedAs' | 'note' | 'acceptedAt' | 'acceptedByKind' | 'acceptedById'
>

/** What a person saw of a difference. If it changes, the acceptance does not count any more. */
const seenOf = ({ reason, affiliateId, theirAffiliateId, currency, oursCents, theirsCents }: SaleDifference): string =>
  [reason, affiliateId, theirAffiliateId ?? '', currency, oursCents, theirsCents].join(' ')

/** The acceptances that count, by the id of the difference. */
export async function readAccepted(
  { db, program }: ProgramCtx,
  differences: readonly SaleDifference[],
): Promise<Map<string, Accepted>> {
  const rows = await db.shadowAcceptance.findMany({ where: { programId: program.id } })
  const byId = new Map(rows.map((row) => [row.difference, row]))
  return new Map(
    differences.flatMap((one) => {
      const row = byId.get(one.id)
      return row?.seen === seenOf(one) ? [[one.id, row] as const] : []
    }),
  )
}

/**
 * Records what a person says of differences. No balance changes.
 * @throws INVALID_INPUT; NOT_FOUND if one is not a difference of the present comparison. Then all stay as they were.
 */
export async function acceptDifferences(ctx: ProgramCtx, raw: unknown): Promise<{ keys: string[] }> {
  const { keys, as, note = null } = await parseInput(acceptShadowDifferencesInput, raw)
  return decide(ctx, keys, { as, note })
}

/** Opens accepted differences again. Idempotent. @throws INVALID_INPUT; NOT_FOUND */
export async function reopenDifferences(ctx: ProgramCtx, raw: unknown): Promise<{ keys: string[] }> {
  const { keys } = await parseInput(reopenShadowDifferencesInput, raw)
  return decide(ctx, keys, { as: null, note: null })
}

type Decision = { as: ShadowAcceptedAs | null; note: string | null }

async function decide(ctx: ProgramCtx, given: readonly string[], { as, note }: Decision): Promise<{ keys: string[] }> {
  const { db, program } = ctx
  const ids = [...new Set(given)]
  const { differences } = compare(await readOurs(ctx), await readTheirs(ctx))
  const byId = new Map(differences.map((one) => [one.id, one]))
  const chosen = ids.map((id) => {
    const found = byId.get(id)
    if (!found) throw notFound('Difference', id)
    return found
  })
  const now = ctx.now()
  const { actorKind: acceptedByKind, actorId: acceptedById } = storedActor(ctx.actor)
  await withTransaction(db, async (tx) => {
    const where = { programId: program.id, difference: { in: ids } }
    const before = new Map((await tx.shadowAcceptance.findMany({ where })).map((row) => [row.difference, row]))
    await tx.shadowAcceptance.deleteMany({ where })
    if (as !== null)
      await tx.shadowAcceptance.createMany({
        data: chosen.map((one) => ({
          programId: program.id,
          difference: one.id,
          acceptedAs: as,
          note,
          seen: seenOf(one),
          acceptedAt: now,
          acceptedByKind,
          acceptedById,
        })),
      })
    const changes = chosen.map((one) => {
      const earlier = before.get(one.id)
      const known = earlier?.seen === seenOf(one) ? earlier : null
      const difference = one.externalId ?? one.id
      return {
        subject: 'program' as const,
        subjectId: program.id,
        action: as === null ? ('difference_reopened' as const) : ('difference_accepted' as const),
        before: { difference, acceptedAs: known?.acceptedAs ?? null, note: known?.note ?? null },
        after: { difference, acceptedAs: as, note },
        named: ['difference'],
      }
    })
    await recordChanges(tx, ctx, changes, now)
  })
  return { keys: ids }
}
