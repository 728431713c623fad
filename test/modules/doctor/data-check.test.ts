import { expect, it } from 'vitest'
import { checkDataDaily } from '../../../src/modules/doctor/data-check.ts'
import { cheapInvariants } from '../../../src/modules/doctor/invariants.ts'
import { createTestApp } from '../../support/app.ts'
import { createSeller, reportSale } from '../../support/factories.ts'
import { addMember, setUpOperator } from '../../support/people.ts'

const app = await createTestApp()
const olga = await setUpOperator(app)
const { db } = app.database
const asked = '{ dataCheck { checkedAt checked unchecked findings { invariant rowId programId } } }'
const run = 'mutation { checkData(input: {}) { dataCheck { checkedAt findings { rowId } } } }'

/** A program in which the amount of one commission is not the sum of its facts. */
async function brokenProgram() {
  const program = await app.createProgram()
  const { coupon } = await createSeller(program, {})
  const { commission } = await reportSale(program, { coupon })
  await db.$executeRawUnsafe(`update commissions set amount_cents = amount_cents + 1 where id = '${commission.id}'`)
  const mend = () =>
    db.$executeRawUnsafe(`update commissions set amount_cents = amount_cents - 1 where id = '${commission.id}'`)
  return { program, commission, mend }
}

it('every program is checked once a day, by one instance; people of the program see its findings alone', async () => {
  const { program, commission, mend } = await brokenProgram()
  const clean = await app.createProgram()
  const analyst = await addMember(app, olga, program.slug, { email: 'ann@example.com', role: 'ANALYST' })
  const look = analyst.graphql(program.slug)
  expect(await look(asked)).toEqual({ dataCheck: null })

  await Promise.all([checkDataDaily(db, app.clock.now), checkDataDaily(db, app.clock.now)])
  const checkedAt = app.clock.now.toISOString()
  const whole = { checkedAt, checked: cheapInvariants.length, unchecked: 0 }
  const finding = { invariant: 'commission-is-sum-of-facts', rowId: commission.id, programId: program.id }
  expect(await look(asked)).toEqual({ dataCheck: { ...whole, findings: [finding] } })
  expect(await clean.graphql(asked)).toEqual({ dataCheck: { ...whole, findings: [] } })

  await mend()
  app.clock.advanceMinutes(60)
  await checkDataDaily(db, app.clock.now)
  expect((await look(asked)).dataCheck.checkedAt).toBe(checkedAt)
  app.clock.advanceDays(1)
  await checkDataDaily(db, app.clock.now)
  expect(await look(asked)).toEqual({
    dataCheck: { ...whole, checkedAt: app.clock.now.toISOString(), findings: [] },
  })
  await expect(look(run)).rejects.toThrow('Your role')
})

it('a manager checks at once; within a minute the last result is returned', async () => {
  const { program, commission, mend } = await brokenProgram()
  const manager = await addMember(app, olga, program.slug, { email: 'mia@example.com', role: 'MANAGER' })
  const client = manager.graphql(program.slug)
  const first = (await client(run)).checkData.dataCheck
  expect(first.findings).toEqual([{ rowId: commission.id }])
  await mend()
  app.clock.advanceMinutes(0.5)
  expect((await client(run)).checkData.dataCheck).toEqual(first)
  app.clock.advanceMinutes(1)
  expect((await client(run)).checkData.dataCheck.findings).toEqual([])
})
