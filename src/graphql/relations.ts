import { affiliateCouponConnection } from '../affiliate-coupons/graphql.ts'
import { affiliateLinkConnection } from '../affiliate-links/graphql.ts'
import { affiliateConnection } from '../affiliates/graphql.ts'
import { campaignConnection } from '../campaigns/graphql.ts'
import { commissionConnection } from '../commissions/graphql.ts'
import { customerConnection } from '../customers/graphql.ts'
import { payoutConnection } from '../payouts/graphql.ts'
import { referralConnection } from '../referrals/graphql.ts'
import { refundConnection } from '../refunds/graphql.ts'
import { saleConnection } from '../sales/graphql.ts'
import { relatedConnection } from './connection.ts'

/**
 * Which rows belong to which: relations to many, in one place, as nouns name each other in circles. Relations to one are
 * fields of the nouns themselves.
 */

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

relatedConnection('Affiliate', 'links', 'affiliateId', affiliateLinkConnection)
relatedConnection('Affiliate', 'referrals', 'affiliateId', referralConnection)
relatedConnection('Affiliate', 'sales', 'affiliateId', saleConnection)
relatedConnection('Affiliate', 'commissions', 'affiliateId', commissionConnection)
relatedConnection('Affiliate', 'payouts', 'affiliateId', payoutConnection)

relatedConnection('AffiliateLink', 'referrals', 'linkId', referralConnection)
relatedConnection('AffiliateCoupon', 'referrals', 'couponId', referralConnection)

relatedConnection('Customer', 'referrals', 'customerId', referralConnection)
relatedConnection('Customer', 'sales', 'customerId', saleConnection)

relatedConnection('Referral', 'sales', 'referralId', saleConnection)
relatedConnection('Referral', 'commissions', 'referralId', commissionConnection)

relatedConnection('Sale', 'commissions', 'saleId', commissionConnection)
relatedConnection('Sale', 'refunds', 'saleId', refundConnection)

relatedConnection('Payout', 'commissions', 'payoutId', commissionConnection)
