import { expect } from 'vitest'

// The fields of the contract's tables, by `object`: not one more, not one less.

const documented: Readonly<Record<string, string>> = {
  affiliate:
    'id object created_at updated_at first_name last_name email wallet_a_email wallet_b_email state billing_customer_id confirmed_at visitors leads conversions campaign links coupon',
  campaign:
    'id object created_at updated_at name url private reward_type commission_percent commission_amount_cents commission_currency minimum_payout_cents days_before_referrals_expire days_before_commissions_are_due max_commissions max_commission_period_in_months',
  affiliate_link: 'id object url token visitors leads conversions affiliate_id',
  affiliate_coupon: 'id object token affiliate_id',
  referral:
    'id object conversion_state became_lead_at became_conversion_at expires_at billing_customer_id affiliate_id campaign_id',
  commission: 'id object currency amount state due_at paid_at campaign_id affiliate_id',
  payout: 'id object state currency amount paid_at affiliate_id',
  conversion: 'object duplicate sale_id commission',
}
const ofPage = 'pagination data'
const ofPagination = 'previous_page current_page next_page count limit total_pages total_count'

const sorted = (words: string) => words.split(' ').sort()
const keysOf = (value: object) => Object.keys(value).sort()

/** Every resource in an answer has exactly the fields that are documented, at any depth; so has a page. */
export function expectDocumentedKeys(answer: unknown): void {
  if (answer === null || typeof answer !== 'object') return
  if (Array.isArray(answer)) {
    for (const one of answer) expectDocumentedKeys(one)
    return
  }
  if ('pagination' in answer) {
    expect(keysOf(answer)).toEqual(sorted(ofPage))
    expect(keysOf(answer.pagination as object)).toEqual(sorted(ofPagination))
  } else if (!('error' in answer)) {
    const noun = (answer as { object?: string }).object ?? 'an object without a name'
    expect([noun, ...keysOf(answer)]).toEqual([noun, ...sorted(documented[noun] ?? '')])
  }
  for (const [name, value] of Object.entries(answer)) if (name !== 'pagination') expectDocumentedKeys(value)
}
