import '../graphql/error-codes.ts'
import '../graphql/scalars.ts'
import './program-types.ts'
import './affiliate-types.ts'
import './mail-types.ts'
import './paper-types.ts'
import './payout-types.ts'
import './report-types.ts'
import './service-types.ts'
import './amounts.ts'
import './relations.ts'
import './records.ts'
import { PothosSubGraphPlugin } from '@pothos/plugin-sub-graph'
import { type GraphQLSchema, getNamedType, isObjectType } from 'graphql'
import { checkPothos } from '../execution/pothos.ts'
import { builder } from '../graphql/builder.ts'
import { MoneyType } from '../graphql/money.ts'

/** The schema for GraphQL clients. */
export const publicSchema = builder.toSchema({ subGraph: 'public' })
deprecateCents(publicSchema)
checkPothos(publicSchema)

/**
 * What the schemas of REST are made of: `operations`, those that the gateway runs, and `everything`, each field that a
 * response can have. Nothing keeps them, because each takes some 5 MB of memory.
 */
export function buildRestParts(): { operations: GraphQLSchema; everything: GraphQLSchema } {
  // Built once for both parts, because building takes longer than selecting a part. Fields keep their order.
  const whole = builder.toSchema({ sortSchema: false })
  const partOf = (...subGraphs: string[]) => PothosSubGraphPlugin.createSubGraph(whole, subGraphs, builder)
  return { operations: partOf('rest'), everything: partOf('rest', 'public', 'superset') }
}

/** Amounts are Money. A field `…Cents` is deprecated if the same amount stands beside it as Money. */
function deprecateCents(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap()).filter(isObjectType)) {
    const fields = type.getFields()
    for (const [name, field] of Object.entries(fields)) {
      const amount = name.endsWith('Cents') ? fields[name.slice(0, -'Cents'.length)] : undefined
      if (amount && getNamedType(amount.type).name === MoneyType.name) field.deprecationReason = `Use ${amount.name}.`
    }
  }
}
