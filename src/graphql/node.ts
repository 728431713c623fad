import { Prisma } from '../generated/prisma/client.ts'
import { findById } from '../kernel/lookup.ts'
import { builder, publicOnly } from './builder.ts'
import { type GraphQLContext, programScope } from './context.ts'
import { nestedQuery } from './nested-query.ts'

/** A row with the name of its GraphQL type. */
type Typed = { id: string; __typename: string }

/** Relay's interface for records that can be read by their id alone. Source: relay.dev/graphql/objectidentification.htm. */
export const NodeType = builder.interfaceRef<{ id: string }>('Node').implement({
  description: 'A record that can be read by its id alone, with `Query.node`.',
  subGraphs: publicOnly,
  fields: (t) => ({ id: t.exposeID('id', { description: 'Unique among all records of this service.' }) }),
  resolveType: (row) => (row as Typed).__typename,
})

const tables: Record<string, string> = {
  Affiliate: 'affiliates',
  AffiliateCoupon: 'affiliate_coupons',
  AffiliateLink: 'affiliate_links',
  Campaign: 'campaigns',
  Commission: 'commissions',
  Customer: 'customers',
  Payout: 'payouts',
  Referral: 'referrals',
  Refund: 'refunds',
  Sale: 'sales',
  UnattributedSale: 'unattributed_sales',
}

/** Finds the record's type in one statement. Ids are unique over all tables. */
async function typeOf(ctx: GraphQLContext, programId: string, id: string): Promise<string | null> {
  const looks = Object.entries(tables).map(
    ([type, table]) =>
      Prisma.sql`select ${type} as type from ${Prisma.raw(table)} where program_id = ${programId}::uuid and id = ${id}::uuid`,
  )
  const [found] = await ctx.db.$queryRaw<{ type: string }[]>(Prisma.join(looks, ' union all '))
  return found?.type ?? null
}

builder.queryField('node', (t) =>
  t.field({
    type: NodeType,
    description: 'Any record of the program, by its id.',
    isLookUp: true,
    args: { id: t.arg.id({ required: true, description: 'The id of a record of any type that implements `Node`.' }) },
    resolve: async (_root, { id }, ctx, info) => {
      const { program } = programScope(ctx)
      const type = await findById('Resource', id, () => typeOf(ctx, program.id, id))
      const model = (type.charAt(0).toLowerCase() + type.slice(1)) as 'affiliate'
      const where = { programId_id: { programId: program.id, id } }
      const row = await ctx.db[model].findUniqueOrThrow({ ...nestedQuery(ctx, info, type, []), where })
      return Object.assign(row, { __typename: type })
    },
  }),
)
