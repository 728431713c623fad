import { expect, it } from 'vitest'
import { linesForm, packLines, unpackLines } from '../../../src/modules/rules/stored-lines.ts'
import type { RewardLine } from '../../../src/texts/en/reward.ts'

const at = new Date('2026-12-01T00:00:00Z')
const amount = { cents: 500n, currency: 'usd' }
const conditions = {
  coupons: ['ADA'],
  products: ['plan_b'],
  intervals: ['year' as const],
  payment: 'first' as const,
  atLeast: amount,
  atMost: null,
  currency: null,
  customersSince: at,
}
const steps = [{ from: 10n, rate: { basisPoints: 2_000 } }]
const tiers = { measure: 'revenue', period: 'month', wholePeriod: false, currency: 'usd', steps } as const
/** One of each kind. */
const lines: RewardLine[] = [
  { code: 'earn', rate: { flat: { basisPoints: 1_000 } }, months: null },
  { code: 'most', count: 3 },
  { code: 'cap', per: 'month', most: amount },
  { code: 'until', at },
  {
    code: 'special',
    conditions,
    rate: { tiers: { ...tiers, steps } },
    limits: { most: 1, months: 12, caps: [{ per: 'sale', most: amount }], until: at },
  },
  { code: 'lead', amount, until: null },
  { code: 'due', days: 30 },
]

it('lines are read as they were stored', () => {
  expect(unpackLines(JSON.parse(JSON.stringify(packLines(lines))))).toEqual(lines)
})

it('another form of lines has another number, so that an update of the service is no news', () => {
  expect({ linesForm, packed: JSON.stringify(packLines(lines)) }).toMatchInlineSnapshot(`
    {
      "linesForm": 1,
      "packed": "[{"code":"earn","rate":{"flat":{"basisPoints":1000}},"months":null},{"code":"most","count":3},{"code":"cap","per":"month","most":{"cents":{"$n":"500"},"currency":"usd"}},{"code":"until","at":{"$at":"2026-12-01T00:00:00.000Z"}},{"code":"special","conditions":{"coupons":["ADA"],"products":["plan_b"],"intervals":["year"],"payment":"first","atLeast":{"cents":{"$n":"500"},"currency":"usd"},"atMost":null,"currency":null,"customersSince":{"$at":"2026-12-01T00:00:00.000Z"}},"rate":{"tiers":{"measure":"revenue","period":"month","wholePeriod":false,"currency":"usd","steps":[{"from":{"$n":"10"},"rate":{"basisPoints":2000}}]}},"limits":{"most":1,"months":12,"caps":[{"per":"sale","most":{"cents":{"$n":"500"},"currency":"usd"}}],"until":{"$at":"2026-12-01T00:00:00.000Z"}}},{"code":"lead","amount":{"cents":{"$n":"500"},"currency":"usd"},"until":null},{"code":"due","days":30}]",
    }
  `)
})
