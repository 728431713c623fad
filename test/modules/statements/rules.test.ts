import { describe, expect, it } from 'vitest'
import { statementsIn, verifyStatements } from '../../../clients/verifier/src/index.ts'
import { publicKeys } from '../../../src/modules/statements/keys.ts'
import { createTestApp } from '../../support/app.ts'
import { createSeller, reportSale } from '../../support/factories.ts'
import { closeMonth, type ReadStatement } from '../../support/statements.ts'
import { verifyAgain } from './second-verifier.ts'

const test = await createTestApp({ startsAt: '2026-10-10T12:00:00.000Z' })
const until = (time: string) => test.clock.advanceMinutes((Date.parse(time) - test.clock.now.getTime()) / 60_000)

/** Closes the month, and verifies it with both verifiers. */
async function proven(program: Parameters<typeof closeMonth>[0] & { id: string }, month: string) {
  const [statement] = (await closeMonth(program, month)) as [ReadStatement]
  const keys = { keys: await publicKeys(test.database.db, program.id) }
  const report = await verifyStatements(statementsIn('f', JSON.parse(statement.json)), keys)
  expect(report.findings).toEqual([])
  verifyAgain([JSON.parse(statement.json)], keys)
  return { statement, lines: report.statements[0]?.lines ?? [], json: JSON.parse(statement.json) }
}

const program = await test.createProgram()
const { campaign, coupon } = await createSeller(program)
const addRule = (name: string, rest: object) =>
  program.graphql(
    'mutation ($input: CreateCommissionRuleInput!) { createCommissionRule(input: $input) { commissionRule { id } } }',
    { input: { campaignId: campaign.id, name, appliesTo: 'ALL_SALES', ...rest } },
  )

const refund = (externalId: string, more: object) =>
  program.graphql('mutation ($input: RefundSaleInput!) { refundSale(input: $input) { sale { id } } }', {
    input: { externalId, refundExternalId: `r-${externalId}`, ...more },
  })

describe('commissions of rules', () => {
  it('are computed again by the version of the rule: products, steps, caps and refunds with items', async () => {
    await addRule('Books', {
      conditions: { productIds: ['book'] },
      reward: { percent: 25 },
      cap: { perMonthCents: 3_000 },
    })
    await addRule('Pens', { conditions: { productIds: ['pen'] }, reward: { amountCents: 70 } })
    await addRule('More is more', {
      reward: {
        tiers: {
          measure: 'REVENUE',
          period: 'MONTH',
          appliesTo: 'ABOVE',
          steps: [
            { from: 0, percent: 5 },
            { from: 20_000, percent: 7.5 },
          ],
        },
      },
    })
    const items = [
      { productId: 'book', quantity: 2, amountCents: 6_001 },
      { productId: 'pen', quantity: 3, amountCents: 1_500 },
      { productId: 'ink', quantity: 1, amountCents: 2_333 },
    ]
    await reportSale(program, { coupon, external_id: 's1', amount_cents: 12_000, items: items.map(wire) })
    await reportSale(program, { coupon, external_id: 's2', amount_cents: 15_555 })
    await reportSale(program, { coupon, external_id: 's3', amount_cents: 9_001, items: items.slice(0, 2).map(wire) })
    await refund('s1', {
      amountCents: 3_500,
      items: [
        { productId: 'pen', quantity: 1, amountCents: 500 },
        { productId: 'book', quantity: 1, amountCents: 3_000 },
      ],
    })
    await refund('s3', {})
    until('2026-11-01T00:00:00.000Z')
    const { lines, json } = await proven(program, '2026-10')
    const computed = json.lines.filter(({ calculation }: any) => calculation)
    expect(computed.map(({ calculation }: any) => calculation.by)).toEqual(computed.map(() => 'rule'))
    expect(computed.every(({ calculation }: any) => calculation.rule.version === 3)).toBe(true)
    expect(lines.flatMap(({ steps }) => steps).join('\n')).toContain('25 % of')
  })

  it('of a late sale are calculated again, and say so in the month of the report', async () => {
    until('2026-11-20T12:00:00.000Z')
    await reportSale(program, { coupon, external_id: 'n1', amount_cents: 30_000 })
    await reportSale(program, { coupon, external_id: 'n0', amount_cents: 19_000, occurred_at: '2026-11-19T12:00:00Z' })
    until('2026-12-01T00:00:00.000Z')
    const { statement } = await proven(program, '2026-11')
    expect(statement.lines.map(({ kind }) => kind)).toEqual(['commission', 'commission', 'recalculated'])
    // A sale of November that is reported after November is closed changes what December says, not November.
    await reportSale(program, { coupon, external_id: 'n2', amount_cents: 20_000, occurred_at: '2026-11-18T12:00:00Z' })
    const [again] = await closeMonth(program, '2026-11')
    expect(again).toEqual(statement)
    until('2027-01-01T00:00:00.000Z')
    const { statement: december } = await proven(program, '2026-12')
    expect(december.openingCents).toBe(statement.closingCents)
    expect(december.lines.every(({ month }) => month === '2026-11')).toBe(true)
  })
})

const wire = ({ productId, quantity, amountCents }: { productId: string; quantity: number; amountCents: number }) => ({
  product_id: productId,
  quantity,
  amount_cents: amountCents,
})
