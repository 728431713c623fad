import type { Program } from '../../generated/prisma/client.ts'
import type { Ctx } from '../../kernel/context.ts'
import { refused } from '../../kernel/errors.ts'
import { parseInput } from '../../kernel/input/parse.ts'
import { rotatePublishableKeyInput } from './input.ts'
import { forgetNamedPrograms } from './named.ts'
import { mintPublishableKey } from './publishable-key.ts'
import { findProgram } from './service.ts'

const defaultHours = 24
const hourMs = 3_600_000

/**
 * Gives a program a new publishable key. The one before is taken for some hours more, unless they are 0; there is only
 * ever one before, so an older one ends now.
 *
 * The hours are true ones, in a sandbox too: it is pages that have to be changed meanwhile.
 *
 * @throws NOT_FOUND; INVALID_INPUT; REFUSED where another rotation came in between, as its new key would be lost
 */
export async function rotatePublishableKey(ctx: Ctx, id: string, raw: unknown): Promise<Program> {
  const { publishableKey: old } = await findProgram(ctx, id)
  const { keepOldForHours = defaultHours } = await parseInput(rotatePublishableKeyInput, raw)
  const now = ctx.now()
  const isKept = keepOldForHours > 0
  const { count } = await ctx.db.program.updateMany({
    where: { id, publishableKey: old },
    data: {
      publishableKey: mintPublishableKey(),
      previousPublishableKey: isKept ? old : null,
      previousPublishableKeyEndsAt: isKept ? new Date(now.getTime() + keepOldForHours * hourMs) : null,
      updatedAt: now,
    },
  })
  forgetNamedPrograms(ctx.db)
  if (count === 0) throw refused('The publishable key was rotated at the same moment. Read the program again.')
  return findProgram(ctx, id)
}
