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
  description: 'An affiliate in an export.',
  subGraphs: restOnly,
  fields: (t) => ({
    id: t.exposeID('id'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
    firstName: t.exposeString('firstName', { nullable: true }),
    lastName: t.exposeString('lastName', { nullable: true }),
    email: t.exposeString('email'),
    walletAEmail: t.exposeString('walletAEmail', { nullable: true }),
    walletBEmail: t.exposeString('walletBEmail', { nullable: true }),
    state: t.expose('state', { type: AffiliateStateEnum }),
    billingCustomerId: t.exposeString('billingCustomerId', { nullable: true }),
    confirmedAt: t.expose('confirmedAt', { type: 'DateTime', nullable: true }),
    visitors: t.exposeInt('visitors'),
    leads: t.exposeInt('leads'),
    conversions: t.exposeInt('conversions'),
    campaignId: t.exposeID('campaignId'),
    linkTokens: t.exposeStringList('linkTokens', { description: 'Of the links, oldest first.' }),
    couponToken: t.exposeString('couponToken', { nullable: true }),
  }),
})

const ReferralRow = rowRef<typeof exportReferrals>('ReferralRow').implement({
  description: 'A referral in an export.',
  subGraphs: restOnly,
  fields: (t) => ({
    id: t.exposeID('id'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
    conversionState: t.expose('conversionState', { type: ConversionStateEnum }),
    becameLeadAt: t.expose('becameLeadAt', { type: 'DateTime', nullable: true }),
    becameConversionAt: t.expose('becameConversionAt', { type: 'DateTime', nullable: true }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime' }),
    billingCustomerId: t.exposeString('billingCustomerId', { nullable: true }),
    affiliateId: t.exposeID('affiliateId'),
    campaignId: t.exposeID('campaignId'),
    linkId: t.exposeID('linkId', { nullable: true, description: 'The link the visitor came through.' }),
    couponId: t.exposeID('couponId', { nullable: true, description: 'The coupon that made the referral.' }),
  }),
})

const SaleRow = rowRef<typeof exportSales>('SaleRow').implement({
  description: 'A sale in an export.',
  subGraphs: restOnly,
  fields: (t) => ({
    id: t.exposeID('id'),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was reported.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
    occurredAt: t.expose('occurredAt', { type: 'DateTime' }),
    externalId: t.exposeString('externalId', { nullable: true, description: 'The sale in the billing system.' }),
    amountCents: t.expose('amountCents', { type: 'SafeInt', description: 'In minor units of `currency`.' }),
    currency: t.exposeString('currency', { description: 'ISO 4217, lower case.' }),
    refundedCents: t.expose('refundedCents', { type: 'SafeInt', description: 'The sum of its refunds.' }),
    affiliateId: t.exposeID('affiliateId'),
    campaignId: t.exposeID('campaignId'),
    referralId: t.exposeID('referralId'),
    customerEmail: t.exposeString('customerEmail', { nullable: true }),
    customerName: t.exposeString('customerName', { nullable: true }),
    attributedBy: t.expose('attributedBy', {
      type: AttributionSignalEnum,
      description: 'Which signal found the affiliate.',
    }),
    outcome: t.expose('outcome', { type: SaleOutcomeEnum, description: 'What came of it, in one word.' }),
    commissionAmountCents: t.expose('commissionAmountCents', {
      type: 'SafeInt',
      nullable: true,
      description:
        'The sum of its commissions that are not void, also negative ones, in minor units of `commissionCurrency`; null where it never had one.',
    }),
    commissionCurrency: t.exposeString('commissionCurrency', { nullable: true }),
  }),
})

const CommissionRow = rowRef<typeof exportCommissions>('CommissionRow').implement({
  description: 'A commission in an export.',
  subGraphs: restOnly,
  fields: (t) => ({
    id: t.exposeID('id'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
    currency: t.exposeString('currency', { description: 'ISO 4217, lower case.' }),
    amountCents: t.expose('amountCents', {
      type: 'SafeInt',
      restName: 'amount',
      description: 'In minor units of `currency`; negative where a refund takes back what was paid.',
    }),
    state: t.expose('state', { type: CommissionStateEnum, description: 'As it was when the export began.' }),
    dueAt: t.expose('dueAt', { type: 'DateTime' }),
    paidAt: t.expose('paidAt', { type: 'DateTime', nullable: true }),
    voidedAt: t.expose('voidedAt', { type: 'DateTime', nullable: true }),
    campaignId: t.exposeID('campaignId'),
    affiliateId: t.exposeID('affiliateId'),
    referralId: t.exposeID('referralId'),
    saleId: t.exposeID('saleId'),
    payoutId: t.exposeID('payoutId', { nullable: true, description: 'The payout it is in, once it was gathered.' }),
  }),
})

const PayoutRow = rowRef<typeof exportPayouts>('PayoutRow').implement({
  description: 'A payout in an export.',
  subGraphs: restOnly,
  fields: (t) => ({
    id: t.exposeID('id'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
    state: t.expose('state', { type: PayoutStateEnum }),
    currency: t.exposeString('currency', { description: 'ISO 4217, lower case.' }),
    amountCents: t.expose('amountCents', {
      type: 'SafeInt',
      restName: 'amount',
      description: 'The sum of its commissions, in minor units of `currency`.',
    }),
    paidAt: t.expose('paidAt', { type: 'DateTime', nullable: true }),
    affiliateId: t.exposeID('affiliateId'),
    reference: t.exposeString('reference', {
      nullable: true,
      description: 'What the payment is called where it was made.',
    }),
  }),
})

exportField('exportAffiliates', AffiliateRow, exportAffiliatesInput, exportAffiliates, "The program's affiliates.")
exportField('exportReferrals', ReferralRow, exportReferralsInput, exportReferrals, "The program's referrals.")
exportField('exportSales', SaleRow, exportSalesInput, exportSales, 'All sales that were attributed to an affiliate.')
exportField(
  'exportCommissions',
  CommissionRow,
  exportCommissionsInput,
  exportCommissions,
  "The program's commissions, void ones too.",
)
exportField(
  'exportPayouts',
  PayoutRow,
  exportPayoutsInput,
  exportPayouts,
  "The program's payouts, with all that is due when the export begins.",
)
