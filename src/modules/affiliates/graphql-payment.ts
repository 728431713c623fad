import { builder, publicOnly } from '../../graphql/builder.ts'
import { addressFields } from '../payout-methods/addresses.ts'
import { PayoutMethodEnum } from '../payout-methods/graphql-enums.ts'
import { RecipientTypeEnum } from './graphql-enums.ts'

builder.prismaObjectFields('Affiliate', (t) => ({
  preferredPayoutMethod: t.expose('preferredPayoutMethod', {
    forAffiliate: true,
    type: PayoutMethodEnum,
    nullable: true,
    subGraphs: publicOnly,
    description:
      "How the affiliate wants to be paid. Null if not set: the only wallet is used, or the program's default of several.",
  }),
  recipientType: t.expose('recipientType', {
    forAffiliate: true,
    type: RecipientTypeEnum,
    nullable: true,
    subGraphs: publicOnly,
    description: 'Whether the affiliate is a person or a business. Null counts as a person.',
  }),
  iban: t.exposeString('iban', {
    forAffiliate: true,
    nullable: true,
    subGraphs: publicOnly,
    description: `${addressFields.iban.description} Null if not set.`,
  }),
  bic: t.exposeString('bic', {
    forAffiliate: true,
    nullable: true,
    subGraphs: publicOnly,
    description: `${addressFields.bic.description} Null if not set.`,
  }),
  stripeAccount: t.exposeString('stripeAccount', {
    forAffiliate: true,
    nullable: true,
    subGraphs: publicOnly,
    description: `${addressFields.stripeAccount.description} Null if not set.`,
  }),
  company: t.exposeString('company', {
    forAffiliate: true,
    nullable: true,
    subGraphs: publicOnly,
    description: 'The company of the affiliate, for invoices and statements. Null if not set.',
  }),
  postalAddress: t.exposeString('postalAddress', {
    forAffiliate: true,
    nullable: true,
    subGraphs: publicOnly,
    description: 'The postal address, in several lines. Null if not set.',
  }),
  language: t.exposeString('language', {
    forAffiliate: true,
    nullable: true,
    subGraphs: publicOnly,
    description:
      "The language of the affiliate's portal and mails: en, de, fr, es, pt or ja. Null: that of the program's locale, or English.",
  }),
  displayName: t.exposeString('displayName', {
    forAffiliate: true,
    nullable: true,
    subGraphs: publicOnly,
    description: 'What other affiliates see in the leaderboard of the portal. Null: the initials.',
  }),
  showsInLeaderboard: t.exposeBoolean('showsInLeaderboard', {
    forAffiliate: true,
    subGraphs: publicOnly,
    description: 'Whether other affiliates see the affiliate in the leaderboard of the portal.',
  }),
  payoutsHeldUntil: t.field({
    forAffiliate: true,
    type: 'DateTime',
    nullable: true,
    subGraphs: publicOnly,
    select: { payoutsHeldUntil: true },
    description:
      'Payouts of the affiliate wait until then, because the affiliate has changed the payout address. Null if they do not wait.',
    resolve: ({ payoutsHeldUntil }, _args, ctx) =>
      payoutsHeldUntil && payoutsHeldUntil > ctx.now() ? payoutsHeldUntil : null,
  }),
}))
