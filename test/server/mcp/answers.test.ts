import { expect, it } from 'vitest'
import { pages } from '../../../src/server/mcp/pages.ts'
import { createTestApp } from '../../support/app.ts'
import { connect, examplesOfTools } from '../../support/assistants.ts'
import { createSeller, recordLead, recordVisit } from '../../support/factories.ts'

const test = await createTestApp()
const { program, ofProgram } = await examplesOfTools(test)
const { call } = await connect({ test, secret: program.secret })

it('compares a range with the time before it: the answer has both', async () => {
  const { data } = await call('report', { report: 'comparison', range: { preset: 'LAST_7_DAYS' } })
  const { data: totals } = await call('report', { report: 'totals', range: { preset: 'LAST_7_DAYS' } })
  expect(data.totals).toEqual(totals)
  expect(data.before.sales).toBe(0)
})

it('gives rates with six decimals', async () => {
  const program = await test.createProgram()
  const { link } = await createSeller(program)
  const [first] = [await recordVisit(program, link.token), await recordVisit(program, link.token)]
  await recordVisit(program, link.token)
  await recordLead(program, first?.id ?? '', 'ada@rates.test')
  const { call } = await connect({ test, secret: program.secret })
  const { data } = await call('report', { report: 'totals', range: { preset: 'LAST_7_DAYS' } })
  expect(data).toMatchObject({ visitors: 3, leads: 1, leadRate: 0.333333 })
})

it('gives what is owed without a range, because it is what is owed now', async () => {
  const { from, to, data } = await call('report', { report: 'liability' })
  expect([from, to, data.length]).toEqual([undefined, undefined, 1])
})

it('marks no month as a text of others', async () => {
  const { data } = await call('report', { report: 'cohorts' })
  expect(new Set(data.map(({ month }: { month: unknown }) => typeof month))).toEqual(new Set(['string']))
})

it('names the fields of a list to a filter or an order that the list does not have', async () => {
  await expect(call('list', { list: 'sales', where: { foo: { equals: 'x' } } })).rejects.toThrow(
    /foo.* is not defined.*Fields of `where`: .*externalId.*Fields of `orderBy`: .*AMOUNT/,
  )
  await expect(call('report', { range: { from: '2026-01-01' } })).rejects.toThrow('2026-01-01T00:00:00Z')
})

it.each(Object.keys(pages))('lists %s', async (list) => {
  const { totalCount, rows } = await call('list', { list, first: 1 })
  expect(rows).toHaveLength(Math.min(totalCount, 1))
})

it('links each row of a list to its page in the dashboard', async () => {
  const pageOf = async (list: string) => {
    const { rows, program: slug } = await call('list', { list })
    expect(rows.length).toBeGreaterThan(0)
    return [rows[0], (path: string) => `http://localhost:4000/dashboard/${slug}/${path}`]
  }
  const [commission, ofProgram] = await pageOf('commissions')
  expect(commission.page).toBe(ofProgram(`commissions/${commission.id}`))
  const [coupon] = await pageOf('affiliateCoupons')
  expect(coupon.page).toBe(ofProgram(`affiliates/${coupon.affiliateId}`))
  const [campaign] = await pageOf('campaigns')
  expect([campaign.page, campaign.url]).toEqual([
    ofProgram(`campaigns/${campaign.id}`),
    { untrusted: expect.stringContaining('http') },
  ])
})

it('says of a commission that it is one, and of which kind', async () => {
  const { ids } = ofProgram.propose.arguments
  const { record } = await call('explain', { id: ids[0] })
  expect(record).toMatchObject({ kind: 'Commission', commissionKind: 'SALE' })
})

it('proposes the rules that plan took, without more', async () => {
  const { rules } = ofProgram.plan
  await call('plan', { rules })
  const { proposal } = await call('propose', { kind: 'RULES', arguments: { rules }, reason: 'As planned' })
  expect(proposal.state).toBe('OPEN')
})
