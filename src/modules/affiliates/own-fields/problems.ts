import type { ProgramCtx } from '../../../kernel/context.ts'
import type { Problem } from '../../../kernel/errors.ts'
import { listAffiliateFields } from './definitions.ts'
import { readOwnFields } from './values.ts'

/** The problems of the values of each input. */
export async function ownFieldProblems(
  ctx: ProgramCtx,
  inputs: readonly { ownFields?: readonly unknown[] | undefined }[],
): Promise<Problem[][]> {
  if (inputs.every(({ ownFields }) => !ownFields)) return inputs.map(() => [])
  const definitions = await listAffiliateFields(ctx.db, ctx)
  return inputs.map(({ ownFields = [] }) => readOwnFields(definitions, ownFields).problems)
}
