import { describe, expect, it } from 'vitest'
import { createTestApp } from '../support/app.ts'
import { createSeller, reportSale } from '../support/factories.ts'

const app = await createTestApp()
const lists = [
  '/affiliates',
  '/campaigns',
  '/affiliate_links',
  '/affiliate_coupons',
  '/referrals',
  '/commissions',
  '/payouts',
] as const

/** A program in which every list has five rows, created one minute apart. */
async function fillProgram() {
  const program = await app.createProgram()
  const made = []
  for (let i = 0; i < 5; i++) {
    app.clock.advanceDays(1 / 1440)
    made.push(app.clock.now)
    const { coupon } = await createSeller(program, { days_before_commissions_are_due: 0 })
    await reportSale(program, { coupon })
    // Payouts are created when payouts are read.
    await program.get('/payouts')
  }
  return { program, made }
}
const { program, made } = await fillProgram()
const empty = await app.createProgram()

describe.each(lists)('%s', (path) => {
  // The default campaign, which is created with the program.
  const total = path === '/campaigns' ? 6 : 5
  const page = async (query: string) => (await program.get(`${path}?${query}`)).body

  it('returns one page of 25, newest first', async () => {
    const { status, body } = await program.get(path)
    expect(status).toBe(200)
    expect(Object.keys(body).sort()).toEqual(['data', 'pagination'])
    expect(body.pagination).toEqual({
      previous_page: null,
      current_page: 1,
      next_page: null,
      count: total,
      limit: 25,
      total_pages: 1,
      total_count: total,
    })
    const ids = body.data.map(({ id }: { id: string }) => id)
    expect(ids).toEqual([...ids].sort().reverse())
    expect(new Set(ids).size).toBe(total)
  })

  it('returns each row once over all pages, and then empty pages', async () => {
    const seen: string[] = []
    for (let number = 1; ; number++) {
      const { data, pagination } = await page(`page=${number}&limit=2`)
      const pages = 3
      expect(pagination).toEqual({
        previous_page: number === 1 ? null : number - 1,
        current_page: number,
        next_page: number < pages ? number + 1 : null,
        count: data.length,
        limit: 2,
        total_pages: pages,
        total_count: total,
      })
      if (data.length === 0) break
      seen.push(...data.map(({ id }: { id: string }) => id))
    }
    expect(seen).toEqual((await page('')).data.map(({ id }: { id: string }) => id))
  })

  it('returns 200 with no rows for a page past the end', async () => {
    const { status, body } = await program.get(`${path}?page=9007199254740991&limit=100`)
    expect(status).toBe(200)
    expect(body.data).toEqual([])
    expect(body.pagination).toMatchObject({
      current_page: 9_007_199_254_740_991,
      next_page: null,
      count: 0,
      total_count: total,
    })
  })

  it('serves a limit above 100 as 100', async () => {
    for (const limit of ['101', '1000', '9007199254740991', '99999999999999999999', '9'.repeat(400)]) {
      expect((await page(`limit=${limit}`)).pagination).toMatchObject({ limit: 100, count: total })
    }
    expect((await page('limit=100')).pagination.limit).toBe(100)
  })

  it.each(['0', '-1', '1.5', 'many', '1e2', '0x10', 'NaN', '-99999999999999999999'])(
    'returns 422 for a page or limit of %s',
    async (value) => {
      for (const name of ['page', 'limit']) {
        const { status, body } = await program.get(`${path}?${name}=${value}`)
        expect(status).toBe(422)
        expect(body).toEqual({
          error: expect.any(String),
          details: [expect.stringMatching(new RegExp(`^${name} `, 'i'))],
        })
      }
      expect((await program.get(`${path}?page=0&limit=0`)).body.details).toHaveLength(2)
    },
  )

  it('returns 422 for a page that is too large to be exact', async () => {
    expect((await program.get(`${path}?page=99999999999999999999`)).status).toBe(422)
  })

  it('ignores a blank page or limit', async () => {
    expect((await page('page=&limit=')).pagination).toMatchObject({ current_page: 1, limit: 25 })
  })

  it('returns 0 pages for an empty list', async () => {
    // A program always has its default campaign.
    const { body } = await empty.get(path === '/campaigns' ? `${path}?updated_until=2000-01-01` : path)
    expect(body).toEqual({
      pagination: {
        previous_page: null,
        current_page: 1,
        next_page: null,
        count: 0,
        limit: 25,
        total_pages: 0,
        total_count: 0,
      },
      data: [],
    })
  })

  it('updated_since is inclusive, updated_until exclusive', async () => {
    const [, second, , fourth] = made.map((at) => at.toISOString())
    expect((await page(`updated_since=${second}`)).pagination.total_count).toBe(4)
    expect((await page(`updated_since=${second}&updated_until=${fourth}`)).pagination.total_count).toBe(2)
    expect((await page(`updated_until=${second}`)).pagination.total_count).toBe(total - 4)
    const later = encodeURIComponent(`${second?.replace('Z', '')}+00:00`)
    expect((await page(`updated_since=${later}`)).pagination.total_count).toBe(4)
  })

  it.each(['yesterday', '2026-02-30', '12', '2026-13-01T00:00:00Z'])(
    'returns 422 for updated_since=%s',
    async (value) => {
      const { status, body } = await program.get(`${path}?updated_since=${value}&updated_until=${value}`)
      expect(status).toBe(422)
      expect(body.details).toEqual([
        expect.stringMatching(/^Updated since .*ISO 8601/),
        expect.stringMatching(/^Updated until .*ISO 8601/),
      ])
    },
  )

  it('ignores unknown query parameters', async () => {
    const { status, body } = await program.get(`${path}?nonsense=1&expand[]=campaign&sort=id`)
    expect(status).toBe(200)
    expect(body.pagination.total_count).toBe(total)
  })
})
