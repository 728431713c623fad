import { expect, it } from 'vitest'
import { createTestApp } from '../../../support/app.ts'
import { createSeller, listed, reportSale } from '../../../support/factories.ts'

const app = await createTestApp()
const program = await app.createProgram()
const { coupon } = await createSeller(program, { days_before_commissions_are_due: 0 })
const { db } = app.database

const factsOf = async (commissionId: string) => {
  const facts = await db.moneyEvent.findMany({
    where: { programId: program.id, commissionId },
    orderBy: { id: 'asc' },
  })
  return facts.map(({ kind, deltaCents, currency }) => `${kind} ${deltaCents} ${currency}`)
}

it('records what a commission earned, each amendment and the payment, and the sum is its amount', async () => {
  const { commission } = await reportSale(program, { coupon, amount_cents: 10_000 })
  await program.put(`/commissions/${commission.id}`, { amount: 400 })
  await program.put(`/commissions/${commission.id}`, { amount: 700 })
  const [payout] = await listed(program, '/payouts?state=pending')
  await program.post(`/payouts/${payout.id}/pay`)
  await program.post(`/payouts/${payout.id}/pay`)
  expect(await factsOf(commission.id)).toEqual(['earned 1000 usd', 'amended -600 usd', 'amended 300 usd', 'paid 0 usd'])
})

it('records one fact when a commission is voided twice', async () => {
  const { commission } = await reportSale(program, { coupon })
  await program.delete(`/commissions/${commission.id}`)
  await program.delete(`/commissions/${commission.id}`)
  expect(await factsOf(commission.id)).toEqual(['earned 1000 usd', 'voided 0 usd'])
})

it('records the API key, the request and the time', async () => {
  const { commission } = await reportSale(program, { coupon })
  await program.send(`/commissions/${commission.id}`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json', 'X-Request-Id': 'call-7' },
    body: '{"amount":1}',
  })
  const fact = await db.moneyEvent.findFirstOrThrow({ where: { commissionId: commission.id, kind: 'amended' } })
  expect(fact).toMatchObject({ actorKind: 'api_key', actorId: program.keyId, requestId: 'call-7', at: app.clock.now })
})

it('records nothing for a rejected request', async () => {
  const { commission } = await reportSale(program, { coupon })
  await program.put(`/commissions/${commission.id}`, { amount: -1 })
  await program.delete(`/commissions/${commission.id}`)
  await program.put(`/commissions/${commission.id}`, { amount: 5 })
  expect(await factsOf(commission.id)).toEqual(['earned 1000 usd', 'voided 0 usd'])
})

it('the database rejects changes and deletions of facts', async () => {
  const before = await db.moneyEvent.count()
  for (const statement of [
    'update money_events set delta_cents = 0',
    'delete from money_events',
    'truncate money_events',
  ]) {
    await expect(db.$executeRawUnsafe(statement)).rejects.toThrow(/cannot be changed or removed/)
  }
  expect(await db.moneyEvent.count()).toBe(before)
})
