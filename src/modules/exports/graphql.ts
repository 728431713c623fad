import { AffiliateStateEnum } from '../affiliates/graphql-enums.ts'
import { CommissionStateEnum } from '../commissions/graphql-enums.ts'
import { PayoutStateEnum } from '../payouts/graphql-enums.ts'
import { ConversionStateEnum } from '../referrals/graphql-enums.ts'
import { AttributionSignalEnum, SaleOutcomeEnum } from '../sales/graphql-enums.ts'
import { exportField, restOnly, rowRef } from './graphql-field.ts'
import {
  exportAffiliatesInput,
  exportCommissionsInput,
  exportPayoutsInput,
  exportReferralsInput,
  exportSalesInput,
} from './input.ts'
import { exportAffiliates, exportCommissions, exportPayouts, exportReferrals, exportSales } from './service.ts'

const AffiliateRow = rowRef<typeof exportAffiliates>('AffiliateRow').implement({
  description: 'An affiliate, as a row of an export.',
  subGraphs: restOnly,
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the affiliate.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the affiliate was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When the affiliate was last changed.' }),
    firstName: t.exposeString('firstName', { nullable: true, description: 'The first name. Null if unknown.' }),
    lastName: t.exposeString('lastName', { nullable: true, description: 'The last name. Null if unknown.' }),
    email: t.exposeString('email', { description: 'The e-mail address.' }),
    walletAEmail: t.exposeString('walletAEmail', {
      nullable: true,
      description: 'The e-mail address for payouts to wallet A. Null if there is none.',
    }),
    walletBEmail: t.exposeString('walletBEmail', {
      nullable: true,
      description: 'The e-mail address for payouts to wallet B. Null if there is none.',
    }),
    state: t.expose('state', { type: AffiliateStateEnum, description: 'The state of the affiliate.' }),
    billingCustomerId: t.exposeString('billingCustomerId', {
      nullable: true,
      description: 'The id of the affiliate as a customer of your billing system. Null if there is none.',
    }),
    confirmedAt: t.expose('confirmedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the affiliate was confirmed. Null if not confirmed.',
    }),
    visitors: t.exposeInt('visitors', { description: 'The number of referrals, in any state.' }),
    leads: t.exposeInt('leads', { description: 'The number of referrals that became a lead.' }),
    conversions: t.exposeInt('conversions', { description: 'The number of referrals that became a conversion.' }),
    campaignId: t.exposeID('campaignId', { description: 'The id of the campaign of the affiliate.' }),
    linkTokens: t.exposeStringList('linkTokens', { description: 'The tokens of the links, oldest first.' }),
    couponToken: t.exposeString('couponToken', {
      nullable: true,
      description: 'The token of the coupon. Null if there is none.',
    }),
  }),
})

const ReferralRow = rowRef<typeof exportReferrals>('ReferralRow').implement({
  description: 'A referral, as a row of an export.',
  subGraphs: restOnly,
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the referral.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the referral was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When the referral was last changed.' }),
    conversionState: t.expose('conversionState', {
      type: ConversionStateEnum,
      description: 'Whether the referral is a visitor, a lead or a conversion.',
    }),
    becameLeadAt: t.expose('becameLeadAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the referral became a lead. Null if it did not.',
    }),
    becameConversionAt: t.expose('becameConversionAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the referral became a conversion. Null if it did not.',
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      description: 'After this time the referral cannot become a lead or a conversion.',
    }),
    billingCustomerId: t.exposeString('billingCustomerId', {
      nullable: true,
      description: 'The id of the customer in your billing system. Null if unknown.',
    }),
    affiliateId: t.exposeID('affiliateId', { description: 'The id of the affiliate.' }),
    campaignId: t.exposeID('campaignId', { description: 'The id of the campaign.' }),
    linkId: t.exposeID('linkId', {
      nullable: true,
      description: 'The id of the link that the visitor came through. Null if there was none.',
    }),
    couponId: t.exposeID('couponId', {
      nullable: true,
      description: 'The id of the coupon that created the referral. Null if no coupon did.',
    }),
  }),
})

const SaleRow = rowRef<typeof exportSales>('SaleRow').implement({
  description: 'A sale, as a row of an export.',
  subGraphs: restOnly,
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the sale.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the sale was recorded.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When the sale was last changed.' }),
    occurredAt: t.expose('occurredAt', { type: 'DateTime', description: 'When the sale occurred.' }),
    externalId: t.exposeString('externalId', {
      nullable: true,
      description: 'The id of the sale in the billing system. Null if the report had none.',
    }),
    amountCents: t.expose('amountCents', {
      type: 'SafeInt',
      description: 'The amount of the sale before refunds, in minor units of `currency`.',
    }),
    currency: t.exposeString('currency', { description: 'The currency, as a lower-case ISO 4217 code.' }),
    refundedCents: t.expose('refundedCents', {
      type: 'SafeInt',
      description: 'The sum of the refunds of the sale, in minor units of `currency`.',
    }),
    affiliateId: t.exposeID('affiliateId', { description: 'The id of the affiliate.' }),
    campaignId: t.exposeID('campaignId', { description: 'The id of the campaign.' }),
    referralId: t.exposeID('referralId', { description: 'The id of the referral.' }),
    customerEmail: t.exposeString('customerEmail', {
      nullable: true,
      description: "The customer's e-mail address. Null if unknown.",
    }),
    customerName: t.exposeString('customerName', {
      nullable: true,
      description: "The customer's name. Null if the report had none.",
    }),
    attributedBy: t.expose('attributedBy', {
      type: AttributionSignalEnum,
      description: 'The signal that led to the affiliate.',
    }),
    outcome: t.expose('outcome', {
      type: SaleOutcomeEnum,
      description: 'Whether the sale earned a commission, or why not.',
    }),
    commissionAmountCents: t.expose('commissionAmountCents', {
      type: 'SafeInt',
      nullable: true,
      description:
        'The sum of the commissions of the sale, including negative but not void ones, in minor units of `commissionCurrency`. Null if the sale never had a commission.',
    }),
    commissionCurrency: t.exposeString('commissionCurrency', {
      nullable: true,
      description: 'The currency of the commissions. Null if the sale never had a commission.',
    }),
    affiliateEmail: t.exposeString('affiliateEmail', { description: 'The e-mail address of the affiliate today.' }),
    campaignName: t.exposeString('campaignName', { description: 'The name of the campaign today.' }),
  }),
})

const CommissionRow = rowRef<typeof exportCommissions>('CommissionRow').implement({
  description: 'A commission, as a row of an export.',
  subGraphs: restOnly,
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the commission.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the commission was recorded.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When the commission was last changed.' }),
    currency: t.exposeString('currency', { description: 'The currency, as a lower-case ISO 4217 code.' }),
    amountCents: t.expose('amountCents', {
      type: 'SafeInt',
      restName: 'amount',
      description:
        'The amount of the commission, in minor units of `currency`. Negative for a debt, which a refund creates after payment.',
    }),
    state: t.expose('state', {
      type: CommissionStateEnum,
      description: 'The state of the commission when the row was read.',
    }),
    dueAt: t.expose('dueAt', { type: 'DateTime', description: 'When the commission becomes due.' }),
    paidAt: t.expose('paidAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the commission was paid. Null if it is not paid.',
    }),
    voidedAt: t.expose('voidedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the commission was voided. Null if it is not void.',
    }),
    campaignId: t.exposeID('campaignId', { description: 'The id of the campaign.' }),
    affiliateId: t.exposeID('affiliateId', { description: 'The id of the affiliate.' }),
    referralId: t.exposeID('referralId', { description: 'The id of the referral.' }),
    saleId: t.exposeID('saleId', { description: 'The id of the sale.' }),
    payoutId: t.exposeID('payoutId', {
      nullable: true,
      description: 'The id of the payout that the commission is collected into. Null if it is in no payout.',
    }),
  }),
})

const PayoutRow = rowRef<typeof exportPayouts>('PayoutRow').implement({
  description: 'A payout, as a row of an export.',
  subGraphs: restOnly,
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the payout.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the payout was opened.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When the payout was last changed.' }),
    state: t.expose('state', { type: PayoutStateEnum, description: 'Whether the payout is open or paid.' }),
    currency: t.exposeString('currency', { description: 'The currency, as a lower-case ISO 4217 code.' }),
    amountCents: t.expose('amountCents', {
      type: 'SafeInt',
      restName: 'amount',
      description: 'The sum of the commissions in the payout, in minor units of `currency`.',
    }),
    paidAt: t.expose('paidAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the payout was marked as paid. Null while it is open.',
    }),
    affiliateId: t.exposeID('affiliateId', { description: 'The id of the affiliate who is paid.' }),
    reference: t.exposeString('reference', {
      nullable: true,
      description: 'The payment reference that was given when the payout was marked as paid. Null if none was given.',
    }),
  }),
})

exportField('exportAffiliates', AffiliateRow, exportAffiliatesInput, exportAffiliates, "The program's affiliates.")
exportField('exportReferrals', ReferralRow, exportReferralsInput, exportReferrals, "The program's referrals.")
exportField('exportSales', SaleRow, exportSalesInput, exportSales, 'All sales that are attributed to an affiliate.')
exportField(
  'exportCommissions',
  CommissionRow,
  exportCommissionsInput,
  exportCommissions,
  "The program's commissions, including void ones.",
)
exportField(
  'exportPayouts',
  PayoutRow,
  exportPayoutsInput,
  exportPayouts,
  "The program's payouts. Commissions that are due when the export starts are collected first.",
)
