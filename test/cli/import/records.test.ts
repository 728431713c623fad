import { expect, it } from 'vitest'
import { lists } from '../../../src/cli/import/records.ts'
import type { Wire } from '../../../src/cli/import/wire.ts'

const read = (list: string, wire: Wire) => lists.find((one) => one.list === list)?.read(wire)

it('reads the field names of the contract and of the convention', () => {
  const contract = {
    id: 'a',
    wallet_a_email: 'w@x.test',
    billing_customer_id: 'cus_1',
    campaign: { id: 'c' },
    links: [{ id: 'l', token: 'T' }],
  }
  const { wallet_a_email: paypal_email, billing_customer_id: stripe_customer_id, ...rest } = contract
  expect(read('affiliates', { ...rest, paypal_email, stripe_customer_id })).toEqual(read('affiliates', contract))
  expect(read('affiliates', contract)).toMatchObject({
    externalId: 'a',
    paypalEmail: 'w@x.test',
    billingCustomerId: 'cus_1',
    campaignId: 'c',
    links: [{ externalId: 'l', token: 'T' }],
  })
})

it('reads a commission with and without its sale', () => {
  const sale = {
    id: 's',
    charge_amount_cents: 11_000,
    tax_amount_cents: 1_000,
    stripe_charge_id: 'ch_1',
    referral: { id: 'r', affiliate: { id: 'a' } },
  }
  expect(read('commissions', { id: 'k', amount: 5, state: 'voided', campaign: { id: 'c' }, sale })).toMatchObject({
    externalId: 'k',
    amountCents: 5,
    state: 'void',
    affiliateId: 'a',
    campaignId: 'c',
    referralId: 'r',
    saleId: 's',
    saleAmountCents: 10_000,
    saleBillingId: 'ch_1',
  })
  expect(read('commissions', { id: 'k', amount: 5, affiliate_id: 'a', campaign_id: 'c' })).toMatchObject({
    affiliateId: 'a',
    campaignId: 'c',
    saleAmountCents: undefined,
  })
})
