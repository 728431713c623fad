import { builder, publicOnly } from '../../graphql/builder.ts'
import { programScope } from '../../graphql/context.ts'
import { argsOf } from '../../graphql/inputs.ts'
import { findEventsAbout } from '../feeds/events.ts'
import { stillKept } from '../sales/unattributed/service.ts'
import { searchInput } from './input.ts'
import { type Hits, search } from './service.ts'

/** The field of the search has counted the rows of each kind. */
const ofResults = { field: 1, multiplier: 1 }

const SearchResultsType = builder.objectRef<Hits>('SearchResults').implement({
  description: 'The records of a program that a text finds, by kind.',
  subGraphs: publicOnly,
  fields: (t) => ({
    affiliates: t.prismaField({
      type: ['Affiliate'],
      complexity: ofResults,
      description: 'Affiliates, the newest first.',
      resolve: async (query, { programId, ids: { affiliates } }, _args, ctx) =>
        inOrder(affiliates, (id) => programScope(ctx).db.affiliate.findMany({ ...query, where: { programId, id } })),
    }),
    customers: t.prismaField({
      type: ['Customer'],
      complexity: ofResults,
      description: 'Customers, the newest first.',
      resolve: async (query, { programId, ids: { customers } }, _args, ctx) =>
        inOrder(customers, (id) => programScope(ctx).db.customer.findMany({ ...query, where: { programId, id } })),
    }),
    sales: t.prismaField({
      type: ['Sale'],
      complexity: ofResults,
      description: 'Sales, by `externalId`.',
      resolve: async (query, { programId, ids: { sales } }, _args, ctx) =>
        inOrder(sales, (id) => programScope(ctx).db.sale.findMany({ ...query, where: { programId, id } })),
    }),
    coupons: t.prismaField({
      type: ['AffiliateCoupon'],
      complexity: ofResults,
      description: 'Coupons, also archived ones, by their code.',
      resolve: async (query, { programId, ids: { coupons } }, _args, ctx) =>
        inOrder(coupons, (id) => programScope(ctx).db.affiliateCoupon.findMany({ ...query, where: { programId, id } })),
    }),
    payouts: t.prismaField({
      type: ['Payout'],
      complexity: ofResults,
      description: 'Payouts, by `reference`.',
      // A search writes nothing, so src/server/graphql/fresh-payouts.ts does not collect for this field.
      extensions: { asCollectedBefore: true },
      resolve: async (query, { programId, ids: { payouts } }, _args, ctx) =>
        inOrder(payouts, (id) => programScope(ctx).db.payout.findMany({ ...query, where: { programId, id } })),
    }),
    unattributedSales: t.prismaField({
      type: ['UnattributedSale'],
      complexity: ofResults,
      description:
        'Sales without an affiliate, by parts of `externalId`, of the e-mail, and of the name or id of the customer. The newest first.',
      resolve: async (query, { ids: { unattributedSales } }, _args, ctx) => {
        const scope = programScope(ctx)
        const kept = stillKept(scope)
        return inOrder(unattributedSales, (id) =>
          scope.db.unattributedSale.findMany({ ...query, where: { ...kept, id } }),
        )
      },
    }),
    feedEvents: t.prismaField({
      type: ['FeedEvent'],
      complexity: ofResults,
      description:
        'Events of feeds that have the text as an id, or mention it: an invoice, a charge, a customer; and those about the sales and customers that are found. The newest first.',
      resolve: (query, { texts, first, ids }, _args, ctx) => {
        const scope = programScope(ctx)
        if (texts.length === 0)
          return inOrder(ids.feedEvents, (id) =>
            scope.db.feedEvent.findMany({ ...query, where: { programId: scope.program.id, id } }),
          )
        const also = { customerIds: ids.customers, unattributedSaleIds: ids.unattributedSales }
        return findEventsAbout(scope, texts, query, { first, ...also })
      },
    }),
    campaigns: t.prismaField({
      type: ['Campaign'],
      complexity: ofResults,
      description: 'Campaigns, also archived ones, the newest first.',
      resolve: async (query, { programId, ids: { campaigns } }, _args, ctx) =>
        inOrder(campaigns, (id) => programScope(ctx).db.campaign.findMany({ ...query, where: { programId, id } })),
    }),
  }),
})

/** Reads rows, and returns them in the order of their ids. */
async function inOrder<Row extends { id: string }>(
  ids: readonly string[],
  read: (id: { in: string[] }) => Promise<Row[]>,
): Promise<Row[]> {
  if (ids.length === 0) return []
  const rows = new Map((await read({ in: [...ids] })).map((row) => [row.id, row]))
  return ids.flatMap((id) => rows.get(id) ?? [])
}

builder.queryField('search', (t) =>
  t.field({
    type: SearchResultsType,
    description: "Finds the program's records by a text that a person typed. Nothing is written.",
    args: argsOf(searchInput),
    resolve: (_root, input, ctx) => search(programScope(ctx), input),
  }),
)
