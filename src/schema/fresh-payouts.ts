import {
  type FieldNode,
  type GraphQLNamedType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getNamedType,
  Kind,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql'
import { type GraphQLContext, programScope } from '../graphql/context.ts'
import { collectDueCommissions } from '../modules/payouts/service.ts'

const answers = new WeakMap<FieldNode, boolean>()

/** Whether a field of the root shows payouts somewhere below it, however deep. */
function showsPayouts({ fieldNodes, fragments, operation, schema }: GraphQLResolveInfo): boolean {
  const [first] = fieldNodes as [FieldNode]
  const known = answers.get(first)
  if (known !== undefined) return known
  const typeInfo = new TypeInfo(schema)
  let found = false
  const alone = { ...operation, selectionSet: { kind: Kind.SELECTION_SET, selections: fieldNodes } } as const
  const document = { kind: Kind.DOCUMENT, definitions: [alone, ...Object.values(fragments)] } as const
  visit(
    document,
    visitWithTypeInfo(typeInfo, {
      Field() {
        const type: GraphQLNamedType | undefined = getNamedType(typeInfo.getType() ?? undefined)
        found ||= type?.name === 'Payout' || type?.name === 'PayoutConnection'
      },
    }),
  )
  answers.set(first, found)
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
    // A preview writes nothing, and shows what is open as far as it was gathered.
    if (!resolve || field.name === 'payoutPreview') continue
    field.resolve = async (source, args, ctx: GraphQLContext, info) => {
      if (ctx.namedProgram && showsPayouts(info)) {
        const done = gathered.get(ctx) ?? collectDueCommissions(programScope(ctx))
        gathered.set(ctx, done)
        await done
      }
      return resolve(source, args, ctx, info)
    }
  }
  return schema
}
