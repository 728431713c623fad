import { builder, publicOnly } from '../../../graphql/builder.ts'
import { connectionOf, rootConnection } from '../../../graphql/connection.ts'
import { programScope } from '../../../graphql/context.ts'
import { resourceMutation } from '../../../graphql/mutation.ts'
import { HistoryActorType } from '../../history/graphql.ts'
import type { Decision } from '../decision.ts'
import { DroppedFieldType, TriedSignalType } from '../explanations/graphql.ts'
import { SaleType } from '../graphql.ts'
import { dismissUnattributedSale } from './dismiss.ts'
import { unattributedSaleListing } from './listing.ts'
import { attributeSale, stillKept } from './service.ts'

const UnattributedSaleType = builder.prismaObject('UnattributedSale', {
  description:
    'A reported sale that matched no active affiliate. Its values are those of the report, usable or not. It is kept for 90 days, until a later report of it matches, or until it is attributed by hand.',
  subGraphs: publicOnly,
  fields: (t) => ({
    id: t.exposeID('id', {
      description: 'The id of the unattributed sale. The sale gets another id when it is attributed.',
    }),
    externalId: t.exposeString('externalId', {
      nullable: true,
      description: 'The id of the sale in the billing system. Null if the report had none.',
    }),
    referralId: t.exposeString('referralId', {
      nullable: true,
      description: 'The referral id as it was reported. Null if the report had none.',
    }),
    email: t.expose('email', {
      type: 'EmailAddress',
      nullable: true,
      description: "The customer's e-mail address as it was reported. Null if the report had none.",
    }),
    coupon: t.exposeString('coupon', {
      nullable: true,
      description: 'The code, or codes, as they were reported. Null if the report had none.',
    }),
    customerName: t.exposeString('customerName', {
      nullable: true,
      description: "The customer's name. Null if the report had none.",
    }),
    billingCustomerId: t.exposeString('billingCustomerId', {
      nullable: true,
      description: "The customer's id in the billing system. Null if the report had none.",
    }),
    amountCents: t.expose('amountCents', {
      type: 'SafeInt',
      description: 'The amount of the sale, in minor units of `currency`.',
    }),
    currency: t.expose('currency', { type: 'Currency', description: 'ISO 4217, lower case.' }),
    signals: t.field({
      type: [TriedSignalType],
      description: 'Every signal with its outcome, in the order in which they were tried.',
      resolve: ({ decision }) => (decision as Pick<Decision, 'signals'>).signals,
    }),
    dropped: t.field({
      type: [DroppedFieldType],
      description: 'The fields of the report that could not be used.',
      resolve: ({ decision }) => (decision as Pick<Decision, 'dropped'>).dropped ?? [],
    }),
    needsAttention: t.exposeBoolean('needsAttention', {
      description:
        'Whether a person should look at it: a report named it as a sale of an affiliate, a signal points to one, or its attribution was undone. False if a feed reported it, and nothing of it points to an affiliate.',
    }),
    occurredAt: t.expose('occurredAt', { type: 'DateTime', description: 'When the sale occurred.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the sale was first reported.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When the sale was last reported.' }),
    saleId: t.exposeID('saleId', {
      nullable: true,
      description: 'The id of the recorded sale whose attribution was undone. Null if it was never attributed.',
    }),
    sale: t.relation('sale', {
      nullable: true,
      description: 'The recorded sale whose attribution was undone. Null if it was never attributed.',
    }),
    dismissedAt: t.expose('dismissedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was dismissed as a sale of no affiliate. Null if it was not.',
    }),
    dismissedBy: t.field({
      type: HistoryActorType,
      nullable: true,
      description: 'Who dismissed it. Null if it was not dismissed.',
      resolve: ({ programId, dismissedByKind: kind, dismissedById: actorId }) => kind && { programId, kind, actorId },
    }),
  }),
})

export const unattributedSaleConnection = connectionOf(unattributedSaleListing, UnattributedSaleType)

rootConnection(
  'unattributedSales',
  unattributedSaleConnection,
  'Sales that were reported in the last 90 days and matched no active affiliate. Feeds report all sales of a company: `where: {needsAttention: {equals: true}}` lists those that may be of an affiliate. Dismissed ones are among them, unless `where` has `dismissedAt: {equals: null}`.',
  { within: stillKept },
)

resourceMutation('attributeSale', 'sale', SaleType, {
  description:
    'Attributes an unattributed sale to an affiliate and records it, with the rules of the campaign at the time of the sale. Later sales of the customer belong to the same affiliate.',
  ids: { id: 'The id of the unattributed sale.', affiliateId: 'The id of the affiliate to attribute it to.' },
  resolve: async (ctx, { id, affiliateId }, query) => {
    const scope = programScope(ctx)
    const saleId = await attributeSale(scope, id, affiliateId)
    const where = { programId_id: { programId: scope.program.id, id: saleId } }
    return ctx.db.sale.findUniqueOrThrow({ ...query(), where })
  },
})

resourceMutation('dismissUnattributedSale', 'unattributedSale', UnattributedSaleType, {
  description:
    'Records that an unattributed sale belongs to no affiliate, with who decided it. The sale stays listed for its 90 days, and can still be attributed: by a later report of it that matches, or by hand. Idempotent; `restoreUnattributedSale` reverses it.',
  ids: { id: 'The id of the unattributed sale.' },
  resolve: (ctx, { id }) => dismissUnattributedSale(programScope(ctx), id, true),
})

resourceMutation('restoreUnattributedSale', 'unattributedSale', UnattributedSaleType, {
  description: 'Withdraws the dismissal of an unattributed sale. Idempotent.',
  ids: { id: 'The id of the unattributed sale.' },
  resolve: (ctx, { id }) => dismissUnattributedSale(programScope(ctx), id, false),
})
