import { expect, it } from 'vitest'
import { type Terms, termsOf } from '../../../../src/server/pages/portal/terms.ts'

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

it('a share without limits', () => {
  expect(termsOf(terms)).toEqual([
    '20% of each sale of a customer you bring.',
    'A commission is due 30 days after the sale.',
    'Who comes through your link counts as yours for 60 days.',
  ])
})

it('an amount, with every limit, and one of each', () => {
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
    '1,500.00 HUF for each sale of a customer you bring, for 1 month from their first one.',
    'At most 1 commission for each customer.',
    'A commission is due 1 day after the sale.',
    'Who comes through your link counts as yours for 1 day.',
    'You are paid once 5.00 HUF are due, or as much in another currency.',
  ])
})

it('due at once, and a share with decimals', () => {
  const [share, due] = termsOf({ ...terms, commissionPercent: 12.75, daysBeforeCommissionsAreDue: 0 })
  expect([share, due]).toEqual(['12.75% of each sale of a customer you bring.', 'A commission is due at once.'])
})
