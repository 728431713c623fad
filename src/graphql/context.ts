import type { Ctx, ProgramCtx } from '../context.ts'
import { forbidden, notFound } from '../errors.ts'
import type { Program } from '../generated/prisma/client.ts'

/** What resolvers are given. A resolver reaches data only through one of the two scopes, and says which. */
export type GraphQLContext = Ctx & {
  /** The program of the key, or the one that an operator named. */
  namedProgram: Program | null
}

/** @throws FORBIDDEN where no program is named */
export function programScope(ctx: GraphQLContext): ProgramCtx {
  const { namedProgram: program } = ctx
  if (!program) {
    throw forbidden(
      "An operator token reads a program's data only when the request names the program: set the X-Program-Id header.",
    )
  }
  return { ...ctx, program }
}

/** @throws FORBIDDEN for a program's key */
export function operatorScope(ctx: GraphQLContext): Ctx {
  if (ctx.actor.kind !== 'operator') throw forbidden('Only an operator can do this. Use the operator token.')
  return ctx
}

/**
 * The program that an argument names, for what both an operator and the program's own key may do: an operator names any,
 * a key reaches its own alone, whatever it names.
 *
 * @throws FORBIDDEN where no program is named; NOT_FOUND for a key that names another
 */
export function namedProgramId(ctx: GraphQLContext, named: string | null | undefined): string {
  if (named && ctx.actor.kind === 'operator') return named
  const { id } = programScope(ctx).program
  if (named && named !== id) throw notFound('Program', named)
  return id
}
