import type { GraphQLResolveInfo } from 'graphql'
import { Prisma } from '../generated/prisma/client.ts'
import type { ProgramCtx } from '../kernel/context.ts'
import { notFound } from '../kernel/errors.ts'
import { isId, ownCase } from '../kernel/ids.ts'
import { builder, publicOnly } from './builder.ts'
import { type GraphQLContext, programScope } from './context.ts'
import { nestedQuery } from './nested-query.ts'

type Typed = { id: string; __typename: string }

/** Relay's interface for records with an id of their own. Source: relay.dev/graphql/objectidentification.htm. */
export const NodeType = builder.interfaceRef<object>('Node').implement({
  description: 'A record that can be read by its id alone, with `Query.node`.',
  subGraphs: publicOnly,
  fields: (t) => ({
    id: t.id({ description: 'Unique among all records of this service.', resolve: (row) => (row as Typed).id }),
  }),
  resolveType: (row) => (row as Typed).__typename,
})

type NodeKind = {
  /** Selects something if a record of the type has the id, a UUID. Undefined for types with other ids. */
  has?: (ctx: ProgramCtx, id: string) => Prisma.Sql
  /** Null if the caller must not read the record. `query` is what the client selects of it, for types of Prisma. */
  find: (ctx: GraphQLContext, id: string, query: () => object) => Promise<object | null>
}

const kinds = new Map<string, NodeKind>()

type NodeRef = { name: string; addInterfaces(interfaces: [typeof NodeType]): void }

export function defineNode(type: NodeRef, kind: NodeKind): void {
  type.addInterfaces([NodeType])
  kinds.set(type.name, kind)
}

/** Makes the type of a Prisma model whose rows belong to a program a `Node`. */
export function defineRowNode(type: NodeRef, mayRead: (ctx: GraphQLContext) => boolean = () => true): void {
  const model = (type.name.charAt(0).toLowerCase() + type.name.slice(1)) as 'affiliate'
  const table = Prisma.raw(tables[type.name] as string)
  defineNode(type, {
    has: ({ program }, id) => Prisma.sql`from ${table} where program_id = ${program.id}::uuid and id = ${id}::uuid`,
    find: async (ctx, id, query) => {
      if (!mayRead(ctx)) return null
      const where = { programId_id: { programId: programScope(ctx).program.id, id } }
      return ctx.db[model].findUnique({ ...query(), where })
    },
  })
}

const tables: Record<string, string> = {
  Affiliate: 'affiliates',
  AffiliateCoupon: 'affiliate_coupons',
  AffiliateLink: 'affiliate_links',
  ApiKey: 'api_keys',
  Application: 'applications',
  Campaign: 'campaigns',
  Commission: 'commissions',
  Customer: 'customers',
  Event: 'events',
  FailedRequest: 'failed_requests',
  Feed: 'feeds',
  FeedEvent: 'feed_events',
  Invitation: 'invitations',
  Invoice: 'invoices',
  Mail: 'mails',
  AffiliateGroup: 'affiliate_groups',
  Payout: 'payouts',
  PayoutRun: 'payout_runs',
  PayoutRunItem: 'payout_run_items',
  PayoutService: 'payout_services',
  Proposal: 'proposals',
  Referral: 'referrals',
  Refund: 'refunds',
  Sale: 'sales',
  Statement: 'statements',
  UnattributedSale: 'unattributed_sales',
  WaitingRefund: 'waiting_refunds',
  WebhookDelivery: 'webhook_deliveries',
  WebhookEndpoint: 'webhook_endpoints',
}

/** The types that may have a record with the id. UUIDs are unique over all tables, and looked for in one statement. */
async function typesOf(ctx: GraphQLContext, id: string): Promise<string[]> {
  const scope = programScope(ctx)
  if (!isId(id)) return [...kinds].filter(([, { has }]) => !has).map(([type]) => type)
  const looks = [...kinds].flatMap(([type, { has }]) =>
    has ? [Prisma.sql`select ${type} as type ${has(scope, id)}`] : [],
  )
  // Planning the statement takes longer than executing it, so each connection plans it once.
  const [found] = await ctx.db.reads.row(
    Prisma.sql`select string_agg(type, ',') from (${Prisma.join(looks, ' union all ')}) found`,
  )
  return typeof found === 'string' ? found.split(',') : []
}

async function findNode(ctx: GraphQLContext, id: string, info: GraphQLResolveInfo): Promise<Typed> {
  for (const type of await typesOf(ctx, id)) {
    const row = await kinds.get(type)?.find(ctx, id, () => nestedQuery(ctx, info, type, []))
    if (row) return Object.assign(row, { __typename: type }) as Typed
  }
  throw notFound('Resource', id)
}

builder.queryField('node', (t) =>
  t.field({
    type: NodeType,
    description:
      'Any record of the program, by its id. People, API keys and invitations are only for those who manage them.',
    isLookUp: true,
    args: { id: t.arg.id({ required: true, description: 'The id of a record of any type that implements `Node`.' }) },
    resolve: (_root, { id }, ctx, info) => findNode(ctx, ownCase(id), info),
  }),
)
