import { withTransaction } from '../../database/client/transaction.ts'
import type { Program } from '../../generated/prisma/client.ts'
import type { Ctx } from '../../kernel/context.ts'
import { refused } from '../../kernel/errors.ts'
import { parseInput } from '../../kernel/input/parse.ts'
import { recordAction } from '../history/record.ts'
import { forgetCachedPrograms } from './cached-lookup.ts'
import { rotatePublishableKeyInput } from './input.ts'
import { mintPublishableKey } from './publishable-key.ts'
import { findProgram, subjectOf } from './service.ts'

const defaultHours = 24
const hourMs = 3_600_000

/**
 * Gives a program a new publishable key. The previous one is accepted for some hours of true time, also in a sandbox:
 * they are for changing real pages. An older one ends now.
 * @throws NOT_FOUND; INVALID_INPUT; REFUSED if a concurrent rotation happened, since its new key would be lost
 */
export async function rotatePublishableKey(ctx: Ctx, id: string, raw: unknown): Promise<Program> {
  const before = await findProgram(ctx, id)
  const { publishableKey: old } = before
  const { keepOldForHours = defaultHours } = await parseInput(rotatePublishableKeyInput, raw)
  const now = ctx.now()
  const isKept = keepOldForHours > 0
  const data = {
    publishableKey: mintPublishableKey(ctx.cell),
    previousPublishableKey: isKept ? old : null,
    previousPublishableKeyEndsAt: isKept ? new Date(now.getTime() + keepOldForHours * hourMs) : null,
    updatedAt: now,
  }
  const count = await withTransaction(ctx.db, async (tx) => {
    const { count } = await tx.program.updateMany({ where: { id, publishableKey: old }, data })
    const what = { ...subjectOf(before), action: 'publishable_key_rotated' as const }
    if (count > 0) await recordAction(tx, { ...ctx, program: before }, what, null, null, now)
    return count
  })
  forgetCachedPrograms(ctx.db)
  if (count === 0)
    throw refused('Another request rotated the publishable key at the same time. Read the program again.')
  return findProgram(ctx, id)
}
