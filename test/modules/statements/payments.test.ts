import { expect, it } from 'vitest'
import { statementsIn, verifyStatements } from '../../../clients/verifier/src/index.ts'
import { publicKeys } from '../../../src/modules/statements/keys.ts'
import { createTestApp } from '../../support/app.ts'
import { earner, runsOf } from '../../support/payout-runs.ts'
import { closeMonth, type ReadStatement } from '../../support/statements.ts'
import { withhold } from '../../support/withholding.ts'
import { verifyAgain } from './second-verifier.ts'

const test = await createTestApp({ startsAt: '2026-10-10T12:00:00.000Z' })

it('has the fee of a payment, and what arrives in another currency', async () => {
  const program = await test.createProgram()
  await withhold(program, 1_000)
  const { payout } = await earner(program)
  const runs = runsOf(program)
  const { id } = await runs.create({ method: 'GENERIC' })
  await runs.markPaid(id, 'batch-1')
  // As a payout service says it.
  const said = { feeCents: 25n, feeCurrency: 'usd', receivedCents: 828n, receivedCurrency: 'eur', exchangeRate: '0.92' }
  await test.database.db.payoutRunItem.updateMany({ where: { programId: program.id, payoutId: payout.id }, data: said })
  test.clock.advanceMinutes(30 * 24 * 60)
  const [one] = (await closeMonth(program, '2026-10')) as [ReadStatement]
  expect(one.lines[1]?.text).toBe(
    'Payment of 9.00 USD, reference batch-1, fee of 0.25 USD, of which 8.28 EUR arrives at a rate of 0.92',
  )
  const json = JSON.parse(one.json)
  expect(json.lines[1].payment).toMatchObject({
    reference: 'batch-1',
    method: 'generic',
    fee: { amountCents: '25', currency: 'usd' },
    received: { amountCents: '828', currency: 'eur', rate: '0.92' },
  })
  const keys = { keys: await publicKeys(test.database.db, program.id) }
  expect((await verifyStatements(statementsIn('file', json), keys)).findings).toEqual([])
  expect(() => verifyAgain([json], keys)).not.toThrow()
})
