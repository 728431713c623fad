import { expect, it } from 'vitest'
import { type Terms, termsOf } from '../../../src/pages/portal/terms.ts'

const terms: Terms = {
  name: 'Partners',
  commissionCurrency: 'usd',
  daysBeforeReferralsExpire: 60,
  minimumPayoutCents: 0,
  minimumPayouts: [],
}

it('says how long a visitor counts', () => {
  expect(termsOf(terms)).toEqual(['A visitor who follows your link counts as your referral for 60 days.'])
})

it('says the minimum of a payout, in the singular', () => {
  const all: Partial<Terms> = { commissionCurrency: 'huf', daysBeforeReferralsExpire: 1, minimumPayoutCents: 500 }
  expect(termsOf({ ...terms, ...all })).toEqual([
    'A visitor who follows your link counts as your referral for 1 day.',
    'You are paid when at least HUF\u00a05.00 is due, or the same number in another currency.',
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
