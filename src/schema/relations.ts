import { builder, publicOnly } from '../graphql/builder.ts'
import { relatedConnection } from '../graphql/related-connection.ts'
import { affiliateCouponConnection } from '../modules/affiliates/coupons/graphql.ts'
import { affiliateConnection } from '../modules/affiliates/graphql.ts'
import { affiliateLinkConnection } from '../modules/affiliates/links/graphql.ts'
import { campaignConnection } from '../modules/campaigns/graphql.ts'
import { commissionConnection } from '../modules/commissions/graphql.ts'
import { customerConnection } from '../modules/customers/graphql.ts'
import { invoiceConnection } from '../modules/invoices/graphql.ts'
import { payoutConnection } from '../modules/payouts/graphql.ts'
import { payoutRunItemConnection } from '../modules/payouts/runs/graphql.ts'
import { referralConnection } from '../modules/referrals/graphql.ts'
import { saleConnection } from '../modules/sales/graphql.ts'
import { refundConnection } from '../modules/sales/refunds/graphql.ts'
import { statementConnection } from '../modules/statements/graphql.ts'

/** Relations to many, because nouns refer to each other in circles. Nouns define those to one. */

relatedConnection('Program', 'campaigns', 'programId', campaignConnection)
relatedConnection('Program', 'affiliates', 'programId', affiliateConnection)
relatedConnection('Program', 'links', 'programId', affiliateLinkConnection)
relatedConnection('Program', 'coupons', 'programId', affiliateCouponConnection)
relatedConnection('Program', 'customers', 'programId', customerConnection)
relatedConnection('Program', 'referrals', 'programId', referralConnection)
relatedConnection('Program', 'sales', 'programId', saleConnection)
relatedConnection('Program', 'refunds', 'programId', refundConnection)
relatedConnection('Program', 'commissions', 'programId', commissionConnection)
relatedConnection('Program', 'payouts', 'programId', payoutConnection)

relatedConnection('Campaign', 'affiliates', 'campaignId', affiliateConnection)
relatedConnection('Campaign', 'referrals', 'campaignId', referralConnection)
relatedConnection('Campaign', 'sales', 'campaignId', saleConnection)
relatedConnection('Campaign', 'commissions', 'campaignId', commissionConnection)

relatedConnection('Affiliate', 'links', 'affiliateId', affiliateLinkConnection, { forAffiliate: true })
relatedConnection('Affiliate', 'coupons', 'affiliateId', affiliateCouponConnection, { forAffiliate: true })
relatedConnection('Affiliate', 'referrals', 'affiliateId', referralConnection, { forAffiliate: true })
relatedConnection('Affiliate', 'sales', 'affiliateId', saleConnection, { forAffiliate: true })
relatedConnection('Affiliate', 'commissions', 'affiliateId', commissionConnection, { forAffiliate: true })
relatedConnection('Affiliate', 'payouts', 'affiliateId', payoutConnection, { forAffiliate: true })

relatedConnection('Affiliate', 'invoices', 'affiliateId', invoiceConnection, { forAffiliate: true })
relatedConnection('Affiliate', 'statements', 'affiliateId', statementConnection, { forAffiliate: true })

relatedConnection('AffiliateLink', 'referrals', 'linkId', referralConnection, { forAffiliate: true })
relatedConnection('AffiliateCoupon', 'referrals', 'couponId', referralConnection, { forAffiliate: true })

relatedConnection('Customer', 'referrals', 'customerId', referralConnection)
relatedConnection('Customer', 'sales', 'customerId', saleConnection)

relatedConnection('Referral', 'sales', 'referralId', saleConnection, { forAffiliate: true })
relatedConnection('Referral', 'commissions', 'referralId', commissionConnection, { forAffiliate: true })

relatedConnection('Sale', 'commissions', 'saleId', commissionConnection, { forAffiliate: true })
relatedConnection('Sale', 'refunds', 'saleId', refundConnection, { forAffiliate: true })

relatedConnection('PayoutRun', 'items', 'runId', payoutRunItemConnection, {
  description: 'The payments of the run.',
})

relatedConnection('Payout', 'commissions', 'payoutId', commissionConnection, {
  forAffiliate: true,
  description: 'The commissions that the payout pays.',
})

const programField = { description: 'The program that owns this record.', subGraphs: publicOnly }

// An affiliate token can read only the name of the program.
builder.prismaObjectField('Affiliate', 'program', (t) => t.relation('program', { ...programField, forAffiliate: true }))
for (const type of ['AffiliateCoupon', 'AffiliateLink', 'Campaign', 'Customer'] as const)
  builder.prismaObjectField(type, 'program', (t) => t.relation('program', programField))
for (const type of ['Commission', 'Payout', 'Referral', 'Refund', 'Sale', 'UnattributedSale'] as const)
  builder.prismaObjectField(type, 'program', (t) => t.relation('program', programField))
