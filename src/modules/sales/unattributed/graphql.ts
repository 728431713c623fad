import { builder, publicOnly } from '../../../graphql/builder.ts'
import { connectionOf, rootConnection } from '../../../graphql/connection.ts'
import { programScope } from '../../../graphql/context.ts'
import { resourceMutation } from '../../../graphql/mutation.ts'
import { TriedSignalType } from '../explanations/graphql.ts'
import { SaleType } from '../graphql.ts'
import type { Decision } from '../report/decision.ts'
import { unattributedSaleListing } from './listing.ts'
import { attributeSale, stillKept } from './service.ts'

const UnattributedSaleType = builder.prismaObject('UnattributedSale', {
  description:
    'A reported sale that matched no active affiliate. It is kept for 90 days, or until it is reported again and matches, or is attributed by hand.',
  subGraphs: publicOnly,
  fields: (t) => ({
    id: t.exposeID('id'),
    externalId: t.exposeString('externalId', { nullable: true, description: 'The sale in the billing system.' }),
    referralId: t.exposeString('referralId', { nullable: true, description: 'The referral id that was reported.' }),
    email: t.expose('email', { type: 'EmailAddress', nullable: true, description: "The customer's e-mail." }),
    coupon: t.exposeString('coupon', { nullable: true, description: 'The coupon code that was reported.' }),
    customerName: t.exposeString('customerName', { nullable: true }),
    amountCents: t.expose('amountCents', { type: 'SafeInt', description: 'In minor units of `currency`.' }),
    currency: t.expose('currency', { type: 'Currency', description: 'ISO 4217, lower case.' }),
    signals: t.field({
      type: [TriedSignalType],
      description: 'Every signal in the order in which they were tried, and what came of each.',
      resolve: ({ decision }) => (decision as Pick<Decision, 'signals'>).signals,
    }),
    occurredAt: t.expose('occurredAt', { type: 'DateTime' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was reported first.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it was reported last.' }),
  }),
})

export const unattributedSaleConnection = connectionOf(unattributedSaleListing, UnattributedSaleType)

rootConnection(
  'unattributedSales',
  unattributedSaleConnection,
  'Reported sales that matched nobody in the last 90 days.',
  { within: stillKept },
)

resourceMutation('attributeSale', 'sale', SaleType, {
  description:
    'Books a sale that matched nobody for an affiliate, with the rule that was in force when it occurred. The customer is that affiliate’s from then on.',
  ids: { id: 'Of the unattributed sale.', affiliateId: 'Of the affiliate who gets it.' },
  resolve: async (ctx, { id, affiliateId }, query) => {
    const scope = programScope(ctx)
    const saleId = await attributeSale(scope, id, affiliateId)
    const where = { programId_id: { programId: scope.program.id, id: saleId } }
    return ctx.db.sale.findUniqueOrThrow({ ...query(), where })
  },
})
