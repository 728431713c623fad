import { withTransaction } from '../../database/client/transaction.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { parseInput, problem } from '../../kernel/input/parse.ts'
import { acceptTermsInput } from './input.ts'
import { type Terms, termsAt } from './settings.ts'

export type AcceptedTerms = { version: number; acceptedAt: Date; address: string | null }

/**
 * Keeps that the affiliate accepts the terms that hold now. Idempotent: the first time stays.
 * @param address where the affiliate accepts them from
 * @throws INVALID_INPUT for another version than the one that holds
 */
export async function acceptTerms(
  ctx: ProgramCtx & { affiliateId: string },
  raw: unknown,
  address: string | null,
): Promise<number> {
  const now = ctx.now()
  const terms = await termsAt(ctx.db, ctx, now)
  const { version } = await parseInput(acceptTermsInput, raw, (input) =>
    input.version === undefined || input.version === terms?.number
      ? []
      : [problem('version', terms ? `must be ${terms.number}, which holds now` : 'does not exist: there are no terms')],
  )
  const { affiliateId, program } = ctx
  const data = [{ programId: program.id, affiliateId, version, acceptedAt: now, address }]
  await withTransaction(ctx.db, (tx) => tx.termsAcceptance.createMany({ data, skipDuplicates: true }))
  return version
}

/** What affiliates accepted in the portal, and when they applied. */
async function readAccepted(
  { db, program }: ProgramCtx,
  ids: readonly string[],
): Promise<(AcceptedTerms & { affiliateId: string })[]> {
  const of = Prisma.sql`program_id = ${program.id}::uuid and affiliate_id = any(${[...ids]}::uuid[])`
  return db.$queryRaw`
    select affiliate_id::text as "affiliateId", version, accepted_at as "acceptedAt", address from terms_acceptances where ${of}
    union all
    select affiliate_id::text, terms_version, terms_accepted_at, address from applications
    where ${of} and terms_version is not null and terms_accepted_at is not null
    order by 1, 3`
}

/** For each affiliate, the accepted terms, oldest first. */
export async function acceptedTermsOf(ctx: ProgramCtx, ids: readonly string[]): Promise<AcceptedTerms[][]> {
  const accepted = await readAccepted(ctx, ids)
  return ids.map((id) => accepted.filter(({ affiliateId }) => affiliateId === id))
}

/** For each affiliate, the terms that hold now, unless they are accepted. */
export async function termsToAcceptOf(ctx: ProgramCtx, ids: readonly string[]): Promise<(Terms | null)[]> {
  const terms = await termsAt(ctx.db, ctx, ctx.now())
  if (!terms) return ids.map(() => null)
  const accepted = await readAccepted(ctx, ids)
  const done = new Set(accepted.filter(({ version }) => version === terms.number).map(({ affiliateId }) => affiliateId))
  return ids.map((id) => (done.has(id) ? null : terms))
}
