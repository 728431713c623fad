import { expect, it } from 'vitest'
import { statementsIn, verifyStatements } from '../../clients/verifier/src/index.ts'
import { publicKeys } from '../../src/modules/statements/keys.ts'
import { createTestApp } from '../support/app.ts'
import { createSeller, reportSale } from '../support/factories.ts'
import { closeMonth, type ReadStatement } from '../support/statements.ts'

const test = await createTestApp({ startsAt: '2026-10-31T23:59:59.000Z' })

it('a fact at the end of a month is in exactly one statement, whenever its transaction ends', async () => {
  const program = await test.createProgram()
  const { coupon } = await createSeller(program)
  const sales = Array.from({ length: 30 }, (_, number) => {
    // Their time is in October, and most of them are committed after it is closed.
    return reportSale(program, { coupon, external_id: `s${number}`, amount_cents: 1_000 + number * 10 })
  })
  await Promise.race(sales)
  test.clock.advanceMinutes(1)
  const [october] = (await closeMonth(program, '2026-10')) as ReadStatement[]
  await Promise.all(sales)
  test.clock.advanceDays(30)
  const [november] = (await closeMonth(program, '2026-11')) as ReadStatement[]
  const lines = [october, november].flatMap((one) => one?.lines ?? [])
  const amounts = lines.map(({ amountCents }) => amountCents).sort((a, b) => a - b)
  expect(amounts).toEqual(Array.from({ length: 30 }, (_, number) => 100 + number))
  const keys = { keys: await publicKeys(test.database.db, program.id) }
  const files = [october, november].flatMap((one) => (one ? [JSON.parse(one.json)] : []))
  expect((await verifyStatements(statementsIn('f', files), keys)).findings).toEqual([])
})

it('closing a month several times at once makes each statement once', async () => {
  const program = await test.createProgram()
  const sellers = [await createSeller(program), await createSeller(program), await createSeller(program)]
  for (const { coupon } of sellers) await reportSale(program, { coupon })
  const month = test.clock.now.toISOString().slice(0, 7)
  test.clock.advanceDays(31)
  const closed = await Promise.all([1, 2, 3, 4].map(() => closeMonth(program, month)))
  expect(closed[0]).toHaveLength(3)
  for (const one of closed) expect(one).toEqual(closed[0])
})
