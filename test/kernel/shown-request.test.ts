import { expect, it } from 'vitest'
import { shownBody, shownQuery } from '../../src/kernel/shown-request.ts'

const bodyOf = (value: unknown, type = 'application/json') =>
  shownBody(new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value)), type)

it('a body keeps its form, numbers, ids and dates, and hides every other text', () => {
  const body = {
    email: 'ada@lovelace.test',
    first_name: 'Ada',
    amount_cents: 4900,
    currency: 'usd',
    external_id: 'inv_1',
    occurred_at: '2026-03-01T00:00:00Z',
    note: 'secret words',
    token: 'trib_sk_123',
    customer: { id: 'c1', name: 'Grace', coupon_code: '' },
    tags: ['one', 2, null, true],
    imported_id: 'me@home.test',
  }
  expect(JSON.parse(bodyOf(body) ?? '')).toEqual({
    ...body,
    email: '…',
    first_name: '…',
    note: '…',
    token: '…',
    customer: { id: 'c1', name: '…', coupon_code: '' },
    tags: ['…', 2, null, true],
    imported_id: '…',
  })
})

it('a GraphQL document is shown without the texts in it', () => {
  const query =
    'mutation { createAffiliate(input: { email: "a@b.test", firstName: """Ada "x" """, campaignId: 7 }) { id } }'
  const shown = JSON.parse(bodyOf({ query, variables: { input: { lastName: 'L', affiliateId: 'x1' } } }) ?? '')
  expect(shown.query).toBe('mutation { createAffiliate(input: { email: "…", firstName: "…", campaignId: 7 }) { id } }')
  expect(shown.variables).toEqual({ input: { lastName: '…', affiliateId: 'x1' } })
})

it('a form and a query are shown alike, and what is no JSON is measured', () => {
  expect(JSON.parse(bodyOf('amount_cents=5&email=a%40b.test', 'application/x-www-form-urlencoded') ?? '')).toEqual({
    amount_cents: '5',
    email: '…',
  })
  expect(shownQuery('?page=2&email=a@b.test&token=xyz&updated_since=2026-01-01')).toBe(
    'page=2&email=…&token=…&updated_since=2026-01-01',
  )
  expect(shownQuery('')).toBeNull()
  expect(bodyOf('{"email":')).toBe('9 bytes that are not JSON')
  expect(shownBody(undefined, null)).toBeNull()
})

it('a long query or body is only measured, so that a flood of failing requests blocks nobody', () => {
  const long = JSON.stringify({ amount_cents: Array(5_000).fill(1) })
  expect(shownBody(new TextEncoder().encode(long), 'application/json')).toBe(`${long.length} bytes`)
  expect(shownQuery(`?state=${'a'.repeat(8_000)}`)).toBe('8007 characters')
})
