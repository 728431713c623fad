import '../graphql/error-codes.ts'
import '../graphql/scalars.ts'
import './program-types.ts'
import './affiliate-types.ts'
import './mail-types.ts'
import './payout-types.ts'
import './report-types.ts'
import './service-types.ts'
import './amounts.ts'
import './relations.ts'
import { PothosSubGraphPlugin } from '@pothos/plugin-sub-graph'
import { checkPothos } from '../execution/pothos.ts'
import { builder } from '../graphql/builder.ts'

/** The schema for GraphQL clients. */
export const publicSchema = builder.toSchema({ subGraph: 'public' })
checkPothos(publicSchema)

// Built once for both REST schemas, because building takes longer than selecting a part. Fields keep their order.
const wholeSchema = builder.toSchema({ sortSchema: false })
const partOf = (...subGraphs: string[]) => PothosSubGraphPlugin.createSubGraph(wholeSchema, subGraphs, builder)

/** The schema that the REST gateway runs its operations on; rest/schema.ts renames its elements for the contract. */
export const restSchema = partOf('rest')

/** Every field that a REST response can have; rest/superset.ts picks those that the convention's table lists. */
export const everythingSchema = partOf('rest', 'public', 'superset')
