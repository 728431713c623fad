import { withTransaction } from '../../database/client/transaction.ts'
import { parseInput } from '../../kernel/input/parse.ts'
import { recordAction } from '../history/record.ts'
import { rotateStatementKeyInput } from './input.ts'
import { type KeyCtx, rotateKey } from './keys.ts'

/** Makes a new key for signing months, and retires the one before. @returns its id */
export async function rotateStatementKey(ctx: KeyCtx, raw: unknown): Promise<string> {
  const { reason = null } = await parseInput(rotateStatementKeyInput, raw)
  const now = ctx.now()
  return withTransaction(ctx.db, async (tx) => {
    const id = await rotateKey(tx, ctx, now)
    const what = { subject: 'program', subjectId: ctx.program.id, action: 'statement_key_rotated' } as const
    await recordAction(tx, ctx, what, { note: null }, { note: reason }, now)
    return id
  })
}
