import { describe, expect, it } from 'vitest'
import { statementsIn, verifyStatements } from '../../../clients/verifier/src/index.ts'
import { publicKeys } from '../../../src/modules/statements/keys.ts'
import { createTestApp, type TestProgram } from '../../support/app.ts'
import { findViolations } from '../../support/doctor.ts'
import { reportSale } from '../../support/factories.ts'
import { earner, runsOf } from '../../support/payout-runs.ts'
import { brief, closeMonth, type ReadStatement, sumOf } from '../../support/statements.ts'
import { withhold } from '../../support/withholding.ts'
import { verifyAgain } from './second-verifier.ts'

const test = await createTestApp({ startsAt: '2026-10-10T12:00:00.000Z' })
const until = (time: string) => test.clock.advanceMinutes((Date.parse(time) - test.clock.now.getTime()) / 60_000)

const reconciled = async (program: TestProgram, month: string) =>
  (
    await program.graphql(
      `query ($month: String!) { reconciliation(month: $month) { agrees currencies { currency ledgerPaidCents withheldCents withheld { amountCents } servicePaidCents } } }`,
      { month },
    )
  ).reconciliation

const program = await test.createProgram()
await withhold(program, 1_500)
const ada = await earner(program)
const bob = await earner(program)
const runs = runsOf(program)
const paid = await runs.create({ method: 'GENERIC' })
await runs.markPaid(paid.id, 'batch-1')
// Of Ada comes back what is paid again in November; Bob's money comes back in October, and his month is closed with it.
await runs.record(paid.id, [{ payoutId: bob.payout.id, state: 'RETURNED' }])
const october = await reconciled(program, '2026-10')
until('2026-11-01T00:00:00.000Z')
const closeFor = async (month: string) => {
  const all = await closeMonth(program, month)
  return (id: string) => all.find(({ affiliateId }) => affiliateId === id) as ReadStatement
}
const inOctober = await closeFor('2026-10')
await runs.record(paid.id, [{ payoutId: ada.payout.id, state: 'RETURNED' }])
await reportSale(program, { coupon: ada.coupon, amount_cents: 10_010 })
await withhold(program, 1_000)
const again = await runs.create({ method: 'GENERIC' })
await runs.markPaid(again.id)
const november = await reconciled(program, '2026-11')
until('2026-12-01T00:00:00.000Z')
const inNovember = await closeFor('2026-11')

describe('a month with tax that is withheld', () => {
  it('has what arrived and what was withheld side by side, and both together settle what was earned', () => {
    const one = inOctober(ada.affiliate.id)
    expect(brief(one)).toEqual([
      ['commission', 1_000],
      ['payment', -850],
      ['withheld', -150],
    ])
    expect(one.lines.map(({ text }) => text).slice(1)).toEqual([
      'Payment of 8.50 USD, reference batch-1',
      'Tax of 1.50 USD, withheld from the payment',
    ])
    expect([one.openingCents, sumOf(one), one.closingCents]).toEqual([0, 0, 0])
  })

  it('gives both back together, also if the payment came back before the month was closed', () => {
    expect(brief(inOctober(bob.affiliate.id))).toEqual([
      ['commission', 1_000],
      ['payment', -850],
      ['withheld', -150],
      ['payment_returned', 850],
      ['withheld', 150],
    ])
    expect(brief(inNovember(ada.affiliate.id))).toEqual([
      ['payment_returned', 850],
      ['withheld', 150],
      ['commission', 1_001],
      ['payment', -1_801],
      ['withheld', -200],
    ])
    expect(inNovember(bob.affiliate.id)).toMatchObject({ openingCents: 1_000, closingCents: 0 })
  })

  it('is verified by both verifiers, and they follow each other', async () => {
    const statements = [inOctober(ada.affiliate.id), inNovember(ada.affiliate.id)].map(({ json }) => JSON.parse(json))
    const keys = await publicKeys(test.database.db, program.id)
    expect((await verifyStatements(statementsIn('file', statements), { keys })).findings).toEqual([])
    expect(() => verifyAgain(statements, { keys })).not.toThrow()
  })

  it('agrees: what left and what was withheld is what the ledger has as paid', () => {
    const currencies = (ledgerPaidCents: number, withheldCents: number, servicePaidCents: number) => [
      { currency: 'usd', ledgerPaidCents, withheldCents, withheld: { amountCents: withheldCents }, servicePaidCents },
    ]
    expect(october).toEqual({ agrees: true, currencies: currencies(1_000, 150, 850) })
    expect(november).toEqual({ agrees: true, currencies: currencies(2_001, 150, 1_851) })
  })

  it('leaves nothing for the doctor', async () => {
    expect(await findViolations(test.database)).toEqual([])
  })
})

it('of a payment of which a part came back, the tax of that part is given back, and both verifiers accept it', async () => {
  const own = await test.createProgram()
  await withhold(own, 1_500)
  const { affiliate, payout } = await earner(own)
  const ofOwn = runsOf(own)
  const { id } = await ofOwn.create({ method: 'GENERIC' })
  await ofOwn.markPaid(id)
  await ofOwn.record(id, [{ payoutId: payout.id, state: 'RETURNED', amountCents: 425 }])
  until('2027-01-01T00:00:00.000Z')
  const { reconciliation } = await own.graphql('{ reconciliation(month: "2026-12") { openCount } }')
  expect(reconciliation).toEqual({ openCount: 0 })
  const [one] = await closeMonth(own, '2026-12')
  expect(one).toMatchObject({ affiliateId: affiliate.id, openingCents: 0, closingCents: 500 })
  expect(brief(one as ReadStatement)).toEqual([
    ['commission', 1_000],
    ['payment', -850],
    ['withheld', -150],
    ['correction', -500],
    ['correction', 500],
    ['payment', 425],
    ['withheld', 75],
  ])
  expect(one?.lines[5]?.text).toBe('A payment of 4.25 USD did not arrive, or was taken back')
  const parsed = JSON.parse((one as ReadStatement).json)
  const keys = await publicKeys(test.database.db, own.id)
  expect((await verifyStatements(statementsIn('file', [parsed]), { keys })).findings).toEqual([])
  expect(() => verifyAgain([parsed], { keys })).not.toThrow()
  expect(await findViolations(test.database)).toEqual([])
})

it.each([
  ['of another payment', (line: any) => ({ ...line, payment: { ...line.payment, reference: 'another' } })],
  ['of more', (line: any) => ({ ...line, amountCents: '-151' })],
  ['of commissions', (line: any, [, payment]: any[]) => ({ ...line, commissions: payment.commissions })],
])('what was withheld %s is found by the verifier', async (_label, change) => {
  const statement = JSON.parse(inOctober(ada.affiliate.id).json)
  statement.lines[2] = change(statement.lines[2], statement.lines)
  const keys = await publicKeys(test.database.db, program.id)
  const { findings } = await verifyStatements(statementsIn('file', [statement]), { keys })
  const ofLine = findings.filter(({ what }) => /withheld|what changed of its commissions/.test(what))
  expect(ofLine.length).toBeGreaterThan(0)
})
