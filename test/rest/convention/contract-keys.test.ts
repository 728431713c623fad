import { beforeAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { routes } from '../../../src/rest/routes.ts'
import { createTestApp, type TestProgram } from '../../support/app.ts'
import { unknownId } from '../../support/factories.ts'
import { held } from './held.ts'
import { contract, error, listOf, sso } from './schemas.ts'
import { type Story, tellStory } from './story.ts'

// A key of the default profile is answered what the contract documents, and no field more, whatever it asks to expand.

const test = await createTestApp({ tracking: { visitsPerMinute: 1000, leadsPerMinute: 1000 } as never })
let program: TestProgram
let story: Story

beforeAll(async () => {
  program = await test.createProgram()
  story = await tellStory(test, program)
})

/** As clients write it: once, as a list, with encoded brackets, mixed, of what there is and what there is not. */
const expands = [
  '',
  'expand=commission_stats',
  'expand=affiliate',
  'expand[]=campaign&expand[]=links&expand[]=commission_stats&expand[]=affiliate',
  'expand%5B%5D=sale&expand%5B%5D=affiliate',
  'expand=affiliate&expand[]=sale',
  'expand[]=commissions&expand=nothing',
  'expand=',
]

const called = new Set<string>()

/** Calls a route of the table in every way to expand, and holds each answer against the contract. */
async function holds(
  route: string,
  given: { id?: string; body?: object; query?: string; status?: number },
  schema: z.ZodType,
) {
  const [method, path] = route.split(' ') as [string, string]
  called.add(route)
  const bodies: unknown[] = []
  for (const expand of expands) {
    const { id = unknownId, body, query, status = 200 } = given
    const asked = [query, expand].filter(Boolean).join('&')
    const init: RequestInit = { method }
    // Each body is another: a token and an e-mail are taken once.
    const text = body && JSON.stringify(body).replaceAll('{n}', String(called.size * 100 + expands.indexOf(expand)))
    if (text) Object.assign(init, { body: text, headers: { 'Content-Type': 'application/json' } })
    const what = `${method} ${path}?${asked}`
    const answer = program.send(`${path.replace('{id}', id)}${asked && `?${asked}`}`, init)
    bodies.push(await held(what, answer, status, schema))
  }
  return bodies as any[]
}

const lists: [path: string, schema: z.ZodType, rows: number][] = [
  ['/affiliates', contract.affiliate, 3],
  ['/campaigns', contract.campaign, 4],
  ['/affiliate_links', contract.link, 3],
  ['/affiliate_coupons', contract.coupon, 1],
  ['/referrals', contract.referral, 8],
  ['/commissions', contract.commission, 9],
  ['/payouts', contract.payout, 4],
]

describe('lists', () => {
  it.each(lists)('GET %s', async (path, row, rows) => {
    for (const page of await holds(`GET ${path}`, {}, listOf(row))) expect(page.data).toHaveLength(rows)
    for (const page of await holds(`GET ${path}`, { query: 'page=9' }, listOf(row))) expect(page.data).toEqual([])
  })
})

describe('affiliates', () => {
  it('read, updated, created, with and without a coupon', async () => {
    const { ada, bob, eve } = story.affiliates
    const coupons: unknown[] = []
    for (const { id } of [ada, bob, eve]) {
      for (const { coupon } of await holds('GET /affiliates/{id}', { id }, contract.affiliate))
        coupons.push(coupon?.token)
    }
    expect(new Set(coupons)).toEqual(new Set(['ADA20', undefined]))
    await holds('PUT /affiliates/{id}', { id: ada.id, body: { first_name: 'Ada' } }, contract.affiliate)
    await holds('GET /affiliates/{id}/sso', { id: ada.id }, sso)
    const body = { email: 'made-{n}@example.com' }
    await holds('POST /affiliates', { body, status: 201 }, contract.affiliate)
  })
})

it('a link that signs an affiliate in', async () => {
  await holds('GET /affiliates/{id}/sso', { id: story.affiliates.ada.id }, sso)
})

describe('campaigns', () => {
  it('read, updated, created', async () => {
    for (const { id } of Object.values(story.campaigns)) {
      await holds('GET /campaigns/{id}', { id }, contract.campaign)
      await holds('PUT /campaigns/{id}', { id, body: { private: true } }, contract.campaign)
    }
    const body = { name: 'Another', url: 'https://acme.test', commission_amount_cents: 100 }
    await holds('POST /campaigns', { body, status: 201 }, contract.campaign)
  })
})

describe('links and coupons', () => {
  it('made by either address, read, renamed', async () => {
    const { ada, bob } = story.affiliates
    const body = { affiliate_id: ada.id, token: 'link-{n}' }
    const [{ id }] = await holds('POST /affiliate_links', { body, status: 201 }, contract.link)
    const nested = { id: bob.id, body: { token: 'link-{n}' }, status: 201 }
    await holds('POST /affiliates/{id}/links', nested, contract.link)
    await holds('GET /affiliate_links/{id}', { id }, contract.link)
    await holds('PUT /affiliate_links/{id}', { id, body: { token: 'renamed-{n}' } }, contract.link)
  })

  it('a coupon', async () => {
    await holds('GET /affiliate_coupons/{id}', { id: story.coupon.id }, contract.coupon)
    called.add('POST /affiliate_coupons')
    for (const expand of expands) {
      const { body: affiliate } = await program.post('/affiliates', {
        email: `coupon-${expands.indexOf(expand)}@acme.test`,
      })
      const body = { affiliate_id: affiliate.id, token: `CODE-${expands.indexOf(expand)}` }
      await held(expand, program.post(`/affiliate_coupons?${expand}`, body), 201, contract.coupon)
    }
  })
})

describe('sales', () => {
  it('recorded, repeated, without a commission, tried', async () => {
    const body = { amount_cents: 100, coupon: 'ADA20', email: 'more-{n}@example.com' }
    await holds('POST /conversions', { body, status: 201 }, contract.conversion)
    const repeated = { amount_cents: 1, coupon: 'ADA20', external_id: 'ch_1' }
    await holds('POST /conversions', { body: repeated }, contract.conversion)
    const nothing = { amount_cents: 1, coupon: 'ADA20', email: 'none-{n}@example.com' }
    for (const { commission } of await holds(
      'POST /conversions',
      { body: nothing, status: 201 },
      contract.conversion,
    )) {
      expect(commission).toBeNull()
    }
  })
})

describe('commissions', () => {
  it('in every state: read, amended, voided', async () => {
    const { data } = (await program.get('/commissions?limit=100')).body
    const byState = new Map<string, any>(data.map((commission: { state: string }) => [commission.state, commission]))
    expect([...byState.keys()].sort()).toEqual(['due', 'paid', 'pending', 'void'])
    for (const { id } of byState.values()) await holds('GET /commissions/{id}', { id }, contract.commission)
    const { id } = byState.get('pending')
    await holds('PUT /commissions/{id}', { id, body: { amount: 77 } }, contract.commission)
    for (const { state } of await holds('DELETE /commissions/{id}', { id }, contract.commission))
      expect(state).toBe('void')
  })
})

describe('payouts', () => {
  it('open and paid: read, paid by either method', async () => {
    const { data } = (await program.get(`/payouts?affiliate_id=${story.affiliates.ada.id}&state=pending`)).body
    for (const { id } of [data[0], story.paid]) await holds('GET /payouts/{id}', { id }, contract.payout)
    for (const { state } of await holds('POST /payouts/{id}/pay', { id: data[0].id }, contract.payout)) {
      expect(state).toBe('paid')
    }
    await holds('PUT /payouts/{id}/pay', { id: data[0].id }, contract.payout)
  })
})

describe('errors', () => {
  const cases: [what: string, call: (expand: string) => Promise<any>, status: number][] = [
    ['no key', (expand) => send(`/affiliates?${expand}`, { headers: { Authorization: '' } }), 401],
    ['unknown', (expand) => send(`/commissions/${unknownId}?${expand}`, {}), 404],
    ['no path', (expand) => send(`/nothing?${expand}`, {}), 404],
    ['no method', (expand) => send(`/referrals?${expand}`, { method: 'DELETE' }), 405],
    ['broken', (expand) => send(`/affiliates?${expand}`, { method: 'POST', body: '{' }), 400],
    ['blank', (expand) => send(`/affiliates?${expand}`, { method: 'POST', body: '{}' }), 422],
    ['a paid one', (expand) => send(`/commissions/${paidId}?${expand}`, { method: 'DELETE' }), 422],
  ]
  let paidId: string
  const send = (path: string, init: RequestInit) => {
    const type = init.body ? { 'Content-Type': 'application/json' } : undefined
    return program.send(path, { ...init, headers: { ...type, ...(init.headers as object) } })
  }

  it.each(cases)('%s', async (what, call, status) => {
    paidId = (await program.get('/commissions?state=paid')).body.data[0].id
    for (const expand of expands) await held(what, call(expand), status, error)
  })
})

/** Beside the documented API: files, refunds, and what another profile is for. */
const ours = /^\/(exports|payouts\/export|conversions\/refund)/

it('every endpoint of the contract was called', () => {
  const served = routes.filter(({ path }) => !ours.test(path)).map(({ method, path }) => `${method} ${path}`)
  expect([...called].sort()).toEqual(served.sort())
})
