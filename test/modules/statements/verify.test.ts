import { describe, expect, it } from 'vitest'
import { statementsIn, verifyStatements } from '../../../clients/verifier/src/index.ts'
import { publicKeys } from '../../../src/modules/statements/keys.ts'
import { createTestApp } from '../../support/app.ts'
import { createSeller, listed, reportSale } from '../../support/factories.ts'
import { changeAt, leavesOf } from '../../support/statement-fields.ts'
import { closeMonth, type ReadStatement } from '../../support/statements.ts'
import { verifyAgain } from './second-verifier.ts'

const test = await createTestApp({ startsAt: '2026-10-10T12:00:00.000Z' })
const until = (time: string) => test.clock.advanceMinutes((Date.parse(time) - test.clock.now.getTime()) / 60_000)

const program = await test.createProgram()
const { affiliate, coupon } = await createSeller(program, { days_before_commissions_are_due: 0 })
const other = await createSeller(program)
await reportSale(program, { coupon: other.coupon, external_id: 'o' })
await reportSale(program, { coupon, external_id: 'a', amount_cents: 9_995 })
await reportSale(program, { coupon, external_id: 'b', amount_cents: 20_000 })
await reportSale(program, { coupon, external_id: 'z', amount_cents: 1 })
const refund = (externalId: string, amountCents: number) =>
  program.graphql('mutation ($input: RefundSaleInput!) { refundSale(input: $input) { sale { id } } }', {
    input: { externalId, amountCents, refundExternalId: `r-${externalId}` },
  })
await refund('a', 2_500)
await program.graphql(
  'mutation ($id: ID!) { createCommission(input: { kind: BONUS, affiliateId: $id, amountCents: 300, reason: "Thanks, Ada" }) { commission { id } } }',
  { id: affiliate.id },
)
const [payout] = await listed(program, `/payouts?affiliate_id=${affiliate.id}`)
await program.post(`/payouts/${payout.id}/pay`)
until('2026-11-01T00:00:00.000Z')
const close = async (month: string) =>
  (await closeMonth(program, month)).find(({ affiliateId }) => affiliateId === affiliate.id) as ReadStatement
const october = await close('2026-10')
await refund('b', 5_000)
await program.graphql('mutation { rotateStatementKey(input: { reason: "A new year" }) { keyId } }')
until('2026-12-01T00:00:00.000Z')
const november = await close('2026-11')
const jwks = { keys: await publicKeys(test.database.db, program.id) }
const parsed = (one: { json: string }) => JSON.parse(one.json)
const verify = (...statements: unknown[]) => verifyStatements(statementsIn('file', statements), jwks)

/** The letter of base64url after another one, which differs in the lowest bit. */
const after = (letter: string) => String.fromCharCode(letter.charCodeAt(0) + 1)

describe('the verifier', () => {
  it('finds nothing wrong with the statements of two months, and computes their commissions again', async () => {
    const report = await verify(parsed(october), parsed(november))
    expect(report.findings).toEqual([])
    expect(report.statements[0]?.lines).toMatchObject([
      { kind: 'commission', steps: [] },
      { kind: 'commission', steps: ['sale 20000', '10 % of 20000 = 2000, rounded: 2000'] },
      { kind: 'nothing' },
      { kind: 'refund', steps: ['sale 9995, less 1 refunds: 7495', '10 % of 7495 = 749.5, rounded: 750'] },
      { kind: 'bonus' },
      { kind: 'payment' },
    ])
    expect(report.statements[1]?.lines).toMatchObject([
      {
        kind: 'refund',
        amountCents: '-500',
        steps: [expect.anything(), expect.anything(), 'less 2000 that the sale had earned before: -500'],
      },
    ])
  })

  it('finds every change of a field', async () => {
    const missed: string[] = []
    for (const path of leavesOf(parsed(october))) {
      const changed = parsed(october)
      changeAt(changed, path)
      const { isGood } = await verify(changed)
      if (isGood) missed.push(path.join('.'))
      expect(() => verifyAgain([changed], jwks), path.join('.')).toThrow()
    }
    expect(missed).toEqual([])
    verifyAgain([parsed(october), parsed(november)], jwks)
  })

  it.each([
    ['in bits that say nothing', (seal: string) => `${seal.slice(0, -1)}${after(seal.slice(-1))}`],
    ['to a blank at its end', (seal: string) => `${seal} `],
    ['to padding', (seal: string) => `${seal}==`],
  ])('finds a signature that was changed %s', async (_label, change) => {
    const changed = parsed(october)
    changed.seal = change(changed.seal)
    expect((await verify(changed)).isGood).toBe(false)
    expect(() => verifyAgain([changed], jwks)).toThrow()
  })

  it('names the line that was changed, dropped, doubled or moved', async () => {
    const lineOf = async (change: (lines: any[]) => void) => {
      const changed = parsed(october)
      change(changed.lines)
      return (await verify(changed)).findings[0]?.line
    }
    expect(await lineOf((lines) => (lines[1].amountCents = '2001'))).toBe(2)
    expect(await lineOf((lines) => lines.splice(2, 1))).toBe(3)
    expect(await lineOf((lines) => lines.splice(3, 0, lines[2]))).toBe(4)
    expect(await lineOf((lines) => lines.reverse())).toBe(1)
  })

  it('finds months that are dropped, doubled or in another order', async () => {
    const [first, second] = [parsed(october), parsed(november)]
    expect((await verify(second, first)).findings[0]?.what).toContain('not in order')
    expect((await verify(first, first)).findings[0]?.what).toContain('twice')
    until('2027-01-01T00:00:00.000Z')
    const third = parsed(await close('2026-12'))
    expect((await verify(first, second, third)).findings).toEqual([])
    expect((await verify(first, third)).findings[0]?.what).toContain('missing between 2026-10 and 2026-12')
  })

  it('finds a statement that another key signed', async () => {
    const foreign = { keys: jwks.keys.map((key) => ({ ...key, x: 'AAAAC3NzaC1lZDI1NTE5AAAAIIWz9QKhmWmYnOhKcLsS' })) }
    const keyed = await verifyStatements(statementsIn('file', parsed(october)), foreign).catch(() => null)
    expect(keyed?.isGood ?? false).toBe(false)
    const unknown = await verifyStatements(statementsIn('file', parsed(october)), { keys: [] })
    expect(unknown.findings[0]?.what).toContain('not among the given keys')
  })
})
