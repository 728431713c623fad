import { expect, it } from 'vitest'
import { createTestApp, type TestProgram } from '../../../support/app.ts'
import { createCountedDatabase } from '../../../support/database.ts'
import { createLead, createSeller, recordVisit, reportSale } from '../../../support/factories.ts'

type Seller = Awaited<ReturnType<typeof createSeller>>
type Case = [count: number, sale: string, prepare: (program: TestProgram, seller: Seller) => Promise<object> | object]

const database = await createCountedDatabase()
const app = await createTestApp({ database })

/** Reports the sale once with another external id, so that its customer is known. */
async function reportBefore(program: TestProgram, sale: object) {
  await reportSale(program, { ...sale, external_id: 'first' })
  return sale
}

// The counts include the lookup of the API key; the response needs no statement. The facts are read
// before and after the locks, unless the report itself says what to lock: while this request waits for them, another one may record the sale. BEGIN and COMMIT are not counted.
const cases: Case[] = [
  [5, 'by coupon of a new customer', (_, { coupon }) => ({ coupon, email: 'a@b.co' })],
  [5, 'by coupon without an e-mail', (_, { coupon }) => ({ coupon })],
  [5, 'by coupon of a known customer', (program, { coupon }) => reportBefore(program, { coupon, email: 'a@b.co' })],
  [5, "by a lead's e-mail", async (program, { link }) => ({ email: (await createLead(program, link.token)).email })],
  [
    5,
    "by a converted customer's e-mail",
    async (program, { link }) => reportBefore(program, { email: (await createLead(program, link.token)).email }),
  ],
  [
    4,
    "by a visitor's referral",
    async (program, { link }) => ({ referral_id: (await recordVisit(program, link.token)).id }),
  ],
  [
    4,
    "by a lead's referral",
    async (program, { link }) => ({ referral_id: (await createLead(program, link.token)).id }),
  ],
  [
    3,
    'that was already reported',
    async (program, { coupon }) => {
      await reportSale(program, { coupon, external_id: 'sale' })
      return { coupon }
    },
  ],
]

it.each(cases)('takes %i statements to report a sale %s', async (count, _, prepare) => {
  const program = await app.createProgram()
  const fields = await prepare(program, await createSeller(program))
  database.statements.length = 0
  await reportSale(program, { ...fields, external_id: 'sale' })
  expect(database.statements.map((sql) => sql.slice(0, 120))).toHaveLength(count)
})
