import { expect, it } from 'vitest'
import { foldDeltas } from '../../../src/modules/analytics/fold.ts'
import { examine } from '../../../src/modules/doctor/service.ts'
import { createTestApp, type TestProgram } from '../../support/app.ts'
import { createSeller, listed, made, reportSale } from '../../support/factories.ts'

const app = await createTestApp()
const { db } = app.database

const balances =
  'balances { currency revenue { cents } total { cents } pending { cents } due { cents } paid { cents } }'

async function sortedBy(program: TestProgram, field: string, more = ''): Promise<string[]> {
  await foldDeltas(db)
  const query = `{ affiliates(orderBy: [{ field: ${field} }] ${more}) { nodes { id } } }`
  return (await program.graphql(query)).affiliates.nodes.map(({ id }: { id: string }) => id)
}

const inUsd = (sums: Record<string, number>) => ({
  currency: 'usd',
  ...Object.fromEntries(Object.entries(sums).map(([name, cents]) => [name, { cents }])),
})

it('a balance has each sum at once, and the currency of the program first', async () => {
  const program = await app.createProgram()
  const { affiliate, coupon } = await createSeller(program, { days_before_commissions_are_due: 5 })
  await reportSale(program, { coupon })
  app.clock.advanceDays(5)
  const [payout] = await listed(program, '/payouts')
  await made(program.put(`/payouts/${payout.id}/pay`, {}))
  await reportSale(program, { coupon, amount_cents: 3_000 })
  app.clock.advanceDays(5)
  await reportSale(program, { coupon, amount_cents: 2_000 })
  await reportSale(program, { coupon, amount_cents: 700, currency: 'aud' })
  const read = async () =>
    (await program.graphql(`{ affiliate(id: "${affiliate.id}") { ${balances} } }`)).affiliate.balances
  const expected = [
    inUsd({ revenue: 15_000, total: 1_500, pending: 200, due: 300, paid: 1_000 }),
    { ...inUsd({ revenue: 700, total: 70, pending: 70, due: 0, paid: 0 }), currency: 'aud' },
  ]
  expect(await read()).toEqual(expected)
  await foldDeltas(db)
  expect(await read()).toEqual(expected)
})

it('an affiliate who sold nothing has a balance of zero', async () => {
  const program = await app.createProgram()
  const { affiliate } = await createSeller(program)
  const read = await program.graphql(`{ affiliate(id: "${affiliate.id}") { ${balances} } }`)
  expect(read.affiliate.balances).toEqual([inUsd({ revenue: 0, total: 0, pending: 0, due: 0, paid: 0 })])
})

it("affiliates are sorted by each sum in the program's currency, and filtered by it", async () => {
  const program = await app.createProgram()
  const [large, small, none] = [
    await createSeller(program, { days_before_commissions_are_due: 0, commission_percent: 1 }),
    await createSeller(program, { days_before_commissions_are_due: 0, commission_percent: 50 }),
    await createSeller(program),
  ]
  await reportSale(program, { coupon: large.coupon, amount_cents: 10_000 })
  await reportSale(program, { coupon: small.coupon, amount_cents: 5_000 })
  await reportSale(program, { coupon: none.coupon, amount_cents: 900_000, currency: 'aud' })
  const payouts = await listed(program, '/payouts')
  const [first, second, third] = [large, small, none].map(({ affiliate }) => affiliate.id)
  expect(await sortedBy(program, 'REVENUE')).toEqual([first, second, third])
  expect(await sortedBy(program, 'COMMISSIONS')).toEqual([second, first, third])
  expect(await sortedBy(program, 'DUE')).toEqual([second, first, third])
  expect(await sortedBy(program, 'REVENUE', 'where: { dueCents: { gt: 100 } }')).toEqual([second])
  const largest = payouts.find(({ affiliate_id, currency }) => affiliate_id === first && currency === 'usd')
  await made(program.put(`/payouts/${largest.id}/pay`, {}))
  expect(await sortedBy(program, 'PAID')).toEqual([first, third, second])
  expect(await sortedBy(program, 'DUE')).toEqual([second, third, first])
  expect(await examine(app.database)).toEqual([])
})

it('pages of affiliates by revenue leave nobody out', async () => {
  const program = await app.createProgram()
  const sellers = [await createSeller(program), await createSeller(program), await createSeller(program)]
  for (const { coupon } of sellers.slice(1)) await reportSale(program, { coupon })
  await foldDeltas(db)
  const seen: string[] = []
  for (let after: string | null = null; ; ) {
    const query = `query ($after: String) { affiliates(first: 1, after: $after, orderBy: [{ field: REVENUE }]) {
      nodes { id } pageInfo { endCursor hasNextPage } } }`
    const { affiliates } = (await program.graphql(query, { after })) as any
    seen.push(affiliates.nodes[0].id)
    if (!affiliates.pageInfo.hasNextPage) break
    after = affiliates.pageInfo.endCursor
  }
  expect(seen).toEqual([2, 1, 0].map((index) => sellers[index]?.affiliate.id))
})

it('another currency of the program sorts affiliates by its sums', async () => {
  const program = await app.createProgram()
  const [dollars, others] = [await createSeller(program), await createSeller(program)]
  await reportSale(program, { coupon: dollars.coupon, amount_cents: 10_000 })
  await reportSale(program, { coupon: others.coupon, amount_cents: 500, currency: 'aud' })
  expect(await sortedBy(program, 'REVENUE')).toEqual([dollars.affiliate.id, others.affiliate.id])
  await app.operator(`mutation { updateProgram(input: { id: "${program.id}", currency: "aud" }) { program { id } } }`)
  expect(await sortedBy(program, 'REVENUE')).toEqual([others.affiliate.id, dollars.affiliate.id])
})
