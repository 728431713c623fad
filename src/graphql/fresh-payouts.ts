import {
  type GraphQLNamedType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getNamedType,
  Kind,
  type OperationDefinitionNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql'
import { gatherDueCommissions } from '../payouts/service.ts'
import { type GraphQLContext, programScope } from './context.ts'

const answers = new WeakMap<OperationDefinitionNode, boolean>()

/** Whether payouts are shown somewhere in the answer, however deep. */
function showsPayouts({ operation, fragments, schema }: GraphQLResolveInfo): boolean {
  const known = answers.get(operation)
  if (known !== undefined) return known
  const typeInfo = new TypeInfo(schema)
  let found = false
  const document = { kind: Kind.DOCUMENT, definitions: [operation, ...Object.values(fragments)] } as const
  visit(
    document,
    visitWithTypeInfo(typeInfo, {
      Field() {
        const type: GraphQLNamedType | undefined = getNamedType(typeInfo.getType() ?? undefined)
        found ||= type?.name === 'Payout' || type?.name === 'PayoutConnection'
      },
    }),
  )
  answers.set(operation, found)
  return found
}

const gathered = new WeakMap<GraphQLContext, Promise<void>>()

/**
 * Payouts are a function of the clock: what became due is gathered when they are read. They hang on affiliates,
 * commissions and the program, whose rows are read together with theirs; so it is done once, before a query that shows
 * payouts anywhere reads its first row.
 */
export function gatherBeforePayouts(schema: GraphQLSchema): GraphQLSchema {
  for (const field of Object.values(schema.getQueryType()?.getFields() ?? {})) {
    const { resolve } = field
    if (!resolve) continue
    field.resolve = async (source, args, ctx: GraphQLContext, info) => {
      if (ctx.namedProgram && showsPayouts(info)) {
        const done = gathered.get(ctx) ?? gatherDueCommissions(programScope(ctx))
        gathered.set(ctx, done)
        await done
      }
      return resolve(source, args, ctx, info)
    }
  }
  return schema
}
