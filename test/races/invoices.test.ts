import { expect, it } from 'vitest'
import { createTestApp, type TestProgram } from '../support/app.ts'
import { reportSale } from '../support/factories.ts'
import { agreedSeller, cancel, createInvoices, type ReadInvoice, setUpInvoices } from '../support/invoices.ts'
import { closeMonth } from '../support/statements.ts'

const test = await createTestApp({ startsAt: '2026-11-10T12:00:00.000Z' })

async function begin(sellers: number): Promise<{ program: TestProgram; month: string }> {
  const program = await test.createProgram({ currency: 'eur' })
  await setUpInvoices(program)
  const month = test.clock.now.toISOString().slice(0, 7)
  for (let index = 0; index < sellers; index += 1) {
    const { coupon } = await agreedSeller(test, program)
    await reportSale(program, { coupon, external_id: `s${index}`, currency: 'eur' })
  }
  test.clock.advanceDays(31)
  await closeMonth(program, month)
  return { program, month }
}

const placesOf = async (program: TestProgram): Promise<number[]> => {
  const rows = await test.database.db.invoice.findMany({ where: { programId: program.id }, orderBy: { place: 'asc' } })
  return rows.map(({ place }) => place)
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

it('many calls at once make each invoice once, with numbers without gaps', async () => {
  const { program, month } = await begin(6)
  const made = await Promise.all(upTo(5).map(() => createInvoices(program, month)))
  expect(await placesOf(program)).toEqual(upTo(6))
  expect(new Set(made.flatMap(({ invoices }) => invoices.map(({ id }) => id))).size).toBe(6)
  const { invoices } = await createInvoices(program, month)
  await Promise.all(invoices.flatMap(({ id }) => [cancel(program, id), cancel(program, id)]))
  expect(await placesOf(program)).toEqual(upTo(12))
})

it('a transaction that fails leaves no gap, and every series begins with its year', async () => {
  const { program, month } = await begin(3)
  const { db } = test.database
  await db.$executeRawUnsafe(`create function fails_some() returns trigger language plpgsql as $$
    begin if new.place = 2 then raise exception 'broken'; end if; return new; end $$`)
  await db.$executeRawUnsafe(
    'create trigger fails_some before insert on invoices for each row execute function fails_some()',
  )
  await expect(createInvoices(program, month)).rejects.toThrow()
  expect(await placesOf(program)).toEqual([1])
  await db.$executeRawUnsafe('drop trigger fails_some on invoices')
  await createInvoices(program, month)
  expect(await placesOf(program)).toEqual([1, 2, 3])
  test.clock.advanceDays(400)
  const [first] = (await createInvoices(program, month)).invoices as [ReadInvoice]
  expect((await cancel(program, first.id)).number).toBe(`${test.clock.now.getUTCFullYear()}-0001`)
})
