import { expect, it } from 'vitest'
import { createTestApp } from '../../support/app.ts'
import { createCountedDatabase } from '../../support/database.ts'
import { createLead, createSeller, reportSale } from '../../support/factories.ts'
import { createSupersetKey } from './keys.ts'

const database = await createCountedDatabase()
const app = await createTestApp({ database, requestsPer30Seconds: 10_000 })
const [few, many] = await Promise.all([createFilledProgram(2), createFilledProgram(7)])

/** Creates affiliates in campaigns of their own, each with a lead, two sales, a refund and a paid payout. */
async function createFilledProgram(count: number) {
  const program = await app.createProgram()
  for (let index = 0; index < count; index += 1) {
    const { link, coupon } = await createSeller(program, { days_before_commissions_are_due: 0 })
    const { email } = await createLead(program, link.token)
    await reportSale(program, { email, amount_cents: 5000, external_id: `lead-${index}` })
    await reportSale(program, { coupon, email: `by-coupon-${index}@example.com` })
    await program.post('/conversions/refund', { external_id: `lead-${index}`, amount_cents: 100 })
  }
  for (const { id } of (await program.get('/payouts')).body.data) await program.post(`/payouts/${id}/pay`)
  return createSupersetKey(app, program)
}

// One statement each for the key, the page and the total count, and one for each relation that is not joined.
const pages: [path: string, statements: number][] = [
  ['/affiliates', 4],
  ['/affiliates?expand=commission_stats', 5],
  ['/campaigns', 3],
  ['/affiliate_links', 2],
  ['/affiliate_coupons', 3],
  ['/referrals', 4],
  ['/referrals?expand=affiliate', 4],
  ['/sales', 4],
  ['/commissions', 4],
  ['/commissions?expand[]=affiliate', 4],
  ['/payouts', 3],
  ['/payouts?expand=sale', 5],
]

it.each(pages)('a page of %s takes %i statements for any number of rows', async (path, expected) => {
  const counts: number[] = []
  for (const key of [few, many]) {
    await key.get(path)
    database.statements.length = 0
    const { body } = await key.get(path)
    expect(body.data.length).toBeGreaterThan(1)
    counts.push(database.statements.length)
  }
  expect(counts).toEqual([expected, expected])
})

it('rows before the page are skipped without loading their relations', async () => {
  database.statements.length = 0
  const { body } = await many.get('/commissions?limit=2&page=3')
  expect(body.data).toHaveLength(2)
  const joined = database.statements.filter((statement) => /from "public"\."commissions".*\bjoin\b/is.test(statement))
  expect(joined).toHaveLength(1)
  expect(joined.filter((statement) => /\boffset\b/i.test(statement))).toEqual([])
})

it('the number of all events is kept, and not counted', async () => {
  database.statements.length = 0
  const { body } = await many.get('/events?limit=2')
  expect(body.pagination.total_count).toBeGreaterThan(2)
  expect(database.statements.filter((statement) => /\blist_counts\b/.test(statement))).toHaveLength(1)
})
