import { beforeAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { routesOf } from '../../../src/rest/routes.ts'
import { createTestApp, type TestProgram } from '../../support/app.ts'
import { unknownId } from '../../support/factories.ts'
import { contract, error, listOf, sso } from './schemas.ts'
import { type Story, tellStory } from './story.ts'
import { validBody } from './valid-body.ts'

// A key with the contract profile gets exactly the fields that the contract documents, also when it sends `expand`.

const test = await createTestApp({ tracking: { visitsPerMinute: 1000, leadsPerMinute: 1000 } as never })
let program: TestProgram
let story: Story

beforeAll(async () => {
  program = await test.createProgram()
  story = await tellStory(test, program)
})

/** The forms that clients send: one value, a list, encoded brackets, mixed, known and unknown names. */
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

/** Calls a route with each form of `expand`, and validates each response against the contract. */
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
    // Tokens and e-mails are unique, so each call has its own.
    const text = body && JSON.stringify(body).replaceAll('{n}', String(called.size * 100 + expands.indexOf(expand)))
    if (text) Object.assign(init, { body: text, headers: { 'Content-Type': 'application/json' } })
    const what = `${method} ${path}?${asked}`
    const answer = program.send(`${path.replace('{id}', id)}${asked && `?${asked}`}`, init)
    bodies.push(await validBody(what, answer, status, schema))
  }
  return bodies as any[]
}

const lists: [path: string, schema: z.ZodType, rows: number][] = [
  ['/affiliates', contract.affiliate, 3],
  ['/campaigns', contract.campaign, 4],
  ['/affiliate_links', contract.link, 3],
  ['/affiliate_coupons', contract.coupon, 1],
  ['/referrals', contract.referral, 8],
  ['/sales', contract.sale, 9],
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
  it('when read, updated and created, with and without a coupon', async () => {
    const { ada, bob, eve } = story.affiliates
    const coupons: unknown[] = []
    for (const { id } of [ada, bob, eve]) {
      for (const { coupon } of await holds('GET /affiliates/{id}', { id }, contract.affiliate))
        coupons.push(coupon?.token)
    }
    expect(new Set(coupons)).toEqual(new Set(['ADA20', undefined]))
    await holds('PUT /affiliates/{id}', { id: ada.id, body: { first_name: 'Ada' } }, contract.affiliate)
    for (const method of ['GET', 'POST']) await holds(`${method} /affiliates/{id}/sso`, { id: ada.id }, sso)
    const body = { email: 'made-{n}@example.com' }
    await holds('POST /affiliates', { body, status: 201 }, contract.affiliate)
  })
})

it('sign-in links', async () => {
  await holds('GET /affiliates/{id}/sso', { id: story.affiliates.ada.id }, sso)
})

describe('campaigns', () => {
  it('when read, updated and created', async () => {
    for (const { id } of Object.values(story.campaigns)) {
      await holds('GET /campaigns/{id}', { id }, contract.campaign)
      await holds('PUT /campaigns/{id}', { id, body: { private: true } }, contract.campaign)
    }
    const body = { name: 'Another', url: 'https://acme.test', commission_amount_cents: 100 }
    await holds('POST /campaigns', { body, status: 201 }, contract.campaign)
  })
})

describe('links and coupons', () => {
  it('links when created through either path, read and updated', async () => {
    const { ada, bob } = story.affiliates
    const body = { affiliate_id: ada.id, token: 'link-{n}' }
    const [{ id }] = await holds('POST /affiliate_links', { body, status: 201 }, contract.link)
    const nested = { id: bob.id, body: { token: 'link-{n}' }, status: 201 }
    await holds('POST /affiliates/{id}/links', nested, contract.link)
    await holds('GET /affiliate_links/{id}', { id }, contract.link)
    await holds('PUT /affiliate_links/{id}', { id, body: { token: 'renamed-{n}' } }, contract.link)
  })

  it('coupons when created and read', async () => {
    await holds('GET /affiliate_coupons/{id}', { id: story.coupon.id }, contract.coupon)
    called.add('POST /affiliate_coupons')
    for (const expand of expands) {
      const { body: affiliate } = await program.post('/affiliates', {
        email: `coupon-${expands.indexOf(expand)}@acme.test`,
      })
      const body = { affiliate_id: affiliate.id, token: `CODE-${expands.indexOf(expand)}` }
      await validBody(expand, program.post(`/affiliate_coupons?${expand}`, body), 201, contract.coupon)
    }
  })
})

describe('lists of one affiliate', () => {
  it.each([
    ['referrals', contract.referral, 7],
    ['commissions', contract.commission, 7],
    ['payouts', contract.payout, 3],
  ] as const)('GET /affiliates/{id}/%s', async (noun, row, rows) => {
    const { id } = story.affiliates.ada
    for (const page of await holds(`GET /affiliates/{id}/${noun}`, { id }, listOf(row))) {
      expect(page.data).toHaveLength(rows)
      for (const one of page.data) expect(one.affiliate_id).toBe(id)
    }
  })
})

it('referrals when read', async () => {
  for (const { id } of (await program.get('/referrals')).body.data)
    await holds('GET /referrals/{id}', { id }, contract.referral)
})

describe('sales', () => {
  it('when read', async () => {
    for (const { id } of (await program.get('/sales')).body.data) await holds('GET /sales/{id}', { id }, contract.sale)
  })

  it('when recorded, repeated, without a commission, and as a dry run', async () => {
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
  it('in every state, when read, amended and voided', async () => {
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
  it('open and paid, when read and when paid with either method', async () => {
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
    for (const expand of expands) await validBody(what, call(expand), status, error)
  })
})

/** Routes that are not part of the contract: files, refunds and events. */
const ours = /^\/(exports|events|payouts\/export|conversions\/refund)/

it('the tests above call every endpoint of the contract', () => {
  const served = routesOf('contract')
    .filter(({ path, isOwnEndpoint }) => !ours.test(path) && !(isOwnEndpoint && path.startsWith('/payout')))
    .map(({ method, path }) => `${method} ${path}`)
  expect([...called].sort()).toEqual(served.sort())
})
