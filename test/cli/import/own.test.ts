import { expect, it } from 'vitest'
import { lists } from '../../../src/cli/import/records.ts'
import { agrees } from '../../../src/cli/import/report.ts'
import { importProgram } from '../../../src/cli/import/run.ts'
import { createSource } from '../../../src/cli/import/source.ts'
import { createTarget, type Operate } from '../../../src/cli/import/target.ts'
import { createTestApp, restClient, type TestApp, type TestProgram } from '../../support/app.ts'
import { createLead, createSeller, made, recordVisit, reportSale } from '../../support/factories.ts'

// An import from another instance of this service, with an API key of the superset profile.

const there = await createTestApp()
const here = await createTestApp()
const quiet = { begin() {}, advance() {}, end() {}, notify() {} }

const keyOf = async (app: TestApp, programId: string, more = ''): Promise<string> => {
  const { createApiKey } = await app.operator(
    `mutation ($id: ID!) { createApiKey(input: { programId: $id, name: "Import"${more} }) { secret } }`,
    { id: programId },
  )
  return createApiKey.secret
}

/** Creates sales in every state. */
async function live(program: TestProgram): Promise<void> {
  const { link, coupon, affiliate } = await createSeller(program, {
    commission_percent: 12.5,
    minimum_payout_cents: 100,
  })
  await createSeller(program, { commission_amount_cents: 700, name: 'Fixed' })
  await recordVisit(program, link.token)
  await createLead(program, link.token)
  const { id: referralId } = await createLead(program, link.token)
  await reportSale(program, { referral_id: referralId, external_id: 'paid', amount_cents: 9_990 })
  await reportSale(program, { coupon, external_id: 'refunded', email: 'a@shop.test', currency: 'eur' })
  await reportSale(program, { coupon, external_id: 'voided', email: 'b@shop.test' })
  await reportSale(program, { coupon, external_id: 'single', email: 'c@shop.test' })
  await made(program.post('/conversions/refund', { external_id: 'voided' }))
  await made(program.post('/conversions/refund', { external_id: 'refunded', amount_cents: 3_000 }))
  there.clock.advanceDays(31)
  const { data } = await made(program.get('/commissions?state=due&limit=100'))
  const single = data.find((one: any) => one.amount === 1_250 && one.currency === 'usd')
  await made(program.put(`/commissions/${single.id}`, { paid_at: there.clock.now.toISOString() }))
  const payouts = await made(program.get('/payouts'))
  for (const { id, currency } of payouts.data) if (currency === 'usd') await made(program.post(`/payouts/${id}/pay`))
  await made(program.post('/conversions/refund', { external_id: 'paid', amount_cents: 5_000 }))
  await reportSale(program, { coupon, external_id: 'late', email: 'd@shop.test' })
  await made(program.put(`/affiliates/${affiliate.id}`, { state: 'suspicious', wallet_a_email: 'w@a.test' }))
  here.clock.advanceDays(31)
}

it('imports everything that this service shows, with the same result', async () => {
  const program = await there.createProgram()
  await live(program)
  const key = await keyOf(there, program.id, ', profile: SUPERSET, words: CONVENTION')
  const source = createSource({
    from: 'http://localhost:4000/',
    key,
    fetch: ((input: string, init?: RequestInit) => there.app.fetch(new Request(input, init))) as typeof fetch,
    sleep: async () => {},
  })
  const target = createTarget(here.operator as Operate, source.address)
  const { program: imported, report } = await importProgram(source, target, quiet, { name: 'Moved' })
  expect(report.notes).toEqual([])
  expect(report.sums.filter((sum) => sum.sourceCents !== sum.hereCents || sum.sourceCount !== sum.hereCount)).toEqual(
    [],
  )
  expect(agrees(report)).toBe(true)

  const moved = restClient(here.app.fetch, { Authorization: `Bearer ${await keyOf(here, imported.id)}` })
  const idsHere = new Map<string, string>()
  for (const { externalId, id } of await here.database.db.importedRecord.findMany()) if (id) idsHere.set(externalId, id)
  /** A row without the fields that differ between servers. */
  const comparable = (value: unknown): any =>
    JSON.parse(JSON.stringify(value), (name, inner) =>
      name === 'updated_at' ? undefined : typeof inner === 'string' ? (idsHere.get(inner) ?? inner) : inner,
    )
  for (const { list } of lists) {
    const query = list === 'payouts' ? '?state=paid&limit=100' : '?limit=100'
    const [before, after] = [await made(program.get(`/${list}${query}`)), await made(moved.get(`/${list}${query}`))]
    expect(after.data.length, list).toBeGreaterThan(list === 'payouts' ? 0 : 1)
    const byId = (rows: any[]) => [...rows].sort((a, b) => (a.id < b.id ? -1 : 1))
    expect(byId(comparable(after.data)), list).toEqual(byId(comparable(before.data)))
  }
  const again = await importProgram(source, target, quiet, {})
  expect(again.program.id).toBe(imported.id)
  expect(again.report.kinds.every(({ created, updated }) => created + updated === 0)).toBe(true)
})

it('rejects an import of a program into itself', async () => {
  const program = await there.createProgram()
  const key = await keyOf(there, program.id, ', profile: SUPERSET')
  const source = createSource({
    from: 'http://localhost:4000',
    key,
    fetch: ((input: string, init?: RequestInit) => there.app.fetch(new Request(input, init))) as typeof fetch,
    sleep: async () => {},
  })
  const target = createTarget(there.operator as Operate, source.address)
  await expect(importProgram(source, target, quiet, { programId: program.id })).rejects.toThrow(
    'The source is the program itself',
  )
})
