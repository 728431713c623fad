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

// Built once for both REST schemas, because building takes longer than selecting a part. Fields keep their order.
const wholeSchema = builder.toSchema({ sortSchema: false })
const partOf = (...subGraphs: string[]) => PothosSubGraphPlugin.createSubGraph(wholeSchema, subGraphs, builder)

/** The schema that the REST gateway runs its operations on; rest/schema.ts renames its elements for the contract. */
export const restSchema = partOf('rest')

/** Every field that a REST response can have; rest/superset.ts picks those that the convention's table lists. */
export const everythingSchema = partOf('rest', 'public', 'superset')

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
