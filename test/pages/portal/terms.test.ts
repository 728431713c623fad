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
  minimumPayouts: [],
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
    'You earn HUF\u00a01,500.00 for each sale to a customer you refer, for 1 month from their first sale.',
    'You earn at most 1 commission per customer.',
    'Commissions are due 1 day after the sale.',
    'A visitor who follows your link counts as your referral for 1 day.',
    'You are paid when at least HUF\u00a05.00 is due, or the same number in another currency.',
  ])
})

it('describes a percentage with decimals that is due immediately', () => {
  const [share, due] = termsOf({ ...terms, commissionPercent: 12.75, daysBeforeCommissionsAreDue: 0 })
  expect([share, due]).toEqual([
    'You earn 12.75% of each sale to a customer you refer.',
    'Commissions are due immediately.',
  ])
})

it('names the minimums of currencies that have their own', () => {
  const own = [
    { currency: 'eur', amountCents: 2_000 },
    { currency: 'gbp', amountCents: 1_500 },
  ]
  const minimum = (some: Partial<Terms>) => termsOf({ ...terms, minimumPayouts: own, ...some }).at(-1)
  expect(minimum({ minimumPayoutCents: 5_000 })).toBe(
    'You are paid when at least $50.00, €20.00, or £15.00 is due, or at least 50.00 in any other currency.',
  )
  expect(minimum({})).toBe('You are paid when at least €20.00 or £15.00 is due, or any amount in any other currency.')
})
