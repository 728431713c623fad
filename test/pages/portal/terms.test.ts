import { expect, it } from 'vitest'
import { type Terms, termsOf } from '../../../src/pages/portal/terms.ts'

const terms: Terms = {
  name: 'Partners',
  rewardType: 'PERCENT',
  commissionPercent: 20,
  commissionAmountCents: null,
  commissionCurrency: 'usd',
  maxCommissions: null,
  maxCommissionPeriodInMonths: null,
  daysBeforeCommissionsAreDue: 30,
  daysBeforeReferralsExpire: 60,
  minimumPayoutCents: 0,
}

it('describes a percentage without limits', () => {
  expect(termsOf(terms)).toEqual([
    'You earn 20% of each sale to a customer you refer.',
    'Commissions are due 30 days after the sale.',
    'A visitor who follows your link counts as your referral for 60 days.',
  ])
})

it('describes an amount with every limit, in the singular', () => {
  const all: Partial<Terms> = {
    rewardType: 'AMOUNT',
    commissionPercent: null,
    commissionAmountCents: 150_000,
    commissionCurrency: 'huf',
    maxCommissions: 1,
    maxCommissionPeriodInMonths: 1,
    daysBeforeCommissionsAreDue: 1,
    daysBeforeReferralsExpire: 1,
    minimumPayoutCents: 500,
  }
  expect(termsOf({ ...terms, ...all })).toEqual([
    'You earn 1,500.00 HUF for each sale to a customer you refer, for 1 month from their first sale.',
    'You earn at most 1 commission per customer.',
    'Commissions are due 1 day after the sale.',
    'A visitor who follows your link counts as your referral for 1 day.',
    'You are paid when at least 5.00 HUF is due, or the same number in another currency.',
  ])
})

it('describes a percentage with decimals that is due immediately', () => {
  const [share, due] = termsOf({ ...terms, commissionPercent: 12.75, daysBeforeCommissionsAreDue: 0 })
  expect([share, due]).toEqual([
    'You earn 12.75% of each sale to a customer you refer.',
    'Commissions are due immediately.',
  ])
})
