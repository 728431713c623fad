import {
  type FieldNode,
  type GraphQLNamedType,
  type GraphQLResolveInfo,
  getNamedType,
  Kind,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql'
import { beforeQueries } from '../graphql/before-queries.ts'
import { type GraphQLContext, programScope } from '../graphql/context.ts'
import { collectDueCommissions } from '../modules/payouts/service.ts'

const selections = new WeakMap<FieldNode, boolean>()

/** Whether a root field selects payouts at any depth. */
function selectsPayouts({ fieldNodes, fragments, operation, schema }: GraphQLResolveInfo): boolean {
  const [first] = fieldNodes as [FieldNode]
  const known = selections.get(first)
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
  selections.set(first, found)
  return found
}

const collected = new WeakMap<GraphQLContext, Promise<void>>()

/**
 * Payouts follow from the clock: commissions that became due are collected into payouts when payouts are read. Payouts
 * are read in one statement with the rows that they belong to, so this happens once per request, before a query that
 * selects payouts at any depth reads its first row.
 */
beforeQueries(async (ctx, info) => {
  // A preview writes nothing. It shows what was collected before.
  if (!ctx.namedProgram || info.fieldName === 'payoutPreview' || !selectsPayouts(info)) return
  const done = collected.get(ctx) ?? collectDueCommissions(programScope(ctx))
  collected.set(ctx, done)
  await done
})
