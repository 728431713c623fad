const exportProblems = ['Updated since must be an ISO 8601 date and time, such as 2026-01-31T12:00:00Z']
const listProblems = ['Limit must be a whole number of at least 1']

const problems: Record<string, string[]> = {
  createAffiliate: ["Email can't be blank", 'Token is already in use.'],
  updateAffiliate: ['Email has already been taken'],
  createCampaign: ["Name can't be blank", 'Commission percent or commission amount cents must be given.'],
  updateCampaign: ['Commission percent must be a number from 0 to 100 with at most two decimal places'],
  createAffiliateLink: ['Token is already in use.'],
  updateAffiliateLink: ['Token is already in use.'],
  createAffiliateCoupon: ['Affiliate not found.', "Token can't be blank"],
  amendCommission: ['Amount must be a whole number from 0 to 9007199254740991'],
  readPayoutFile: ['Format must be one of: wallet_a, wallet_b, generic, paypal, wise'],
  refundSale: ['Sale not found.'],
  reverseRefund: ['Refund not found.'],
  reportConversion: ['At least one of referral_id, email, coupon must be provided.'],
}

export function problemExample(operation: string, failure?: string): object {
  const details = problems[operation] ?? (operation.startsWith('export') ? exportProblems : listProblems)
  return { error: failure ?? details.join(' '), details }
}
