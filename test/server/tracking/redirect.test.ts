import { describe, expect, it } from 'vitest'
import { createAppDb } from '../../../src/database/app-db.ts'
import type { SqlDatabase } from '../../../src/kernel/db.ts'
import { createInstance, createTestApp } from '../../support/app.ts'
import { silentLog } from '../../support/database.ts'
import { createAffiliate, createSeller, listed } from '../../support/factories.ts'
import { click, roomy } from '../../support/tracking.ts'

const app = await createTestApp({ tracking: { ...roomy, visitsPerMinute: 20 } })
const program = await app.createProgram({ url: 'https://acme.test/start' })
let callers = 0
/** Each test comes from its own address. */
const someone = () => {
  callers += 1
  return { 'X-Forwarded-For': `203.0.113.${callers}` }
}
const seller = (url = 'https://shop.acme.test/landing') => createSeller(program, { url })
const referralsOf = (affiliateId: string) => listed(program, `/referrals?affiliate_id=${affiliateId}`)

describe('a click on a link', () => {
  it.each(['slug', 'publishableKey'] as const)('redirects to the campaign and is recorded, by %s', async (name) => {
    const { affiliate, link } = await seller('https://shop.acme.test/landing?plan=pro#buy')
    const { status, headers, location } = await click(
      app.app,
      `/r/${program[name]}/${link.token.toUpperCase()}`,
      someone(),
    )
    const [referral] = await referralsOf(affiliate.id)
    expect(status).toBe(302)
    expect(location).toBe(`https://shop.acme.test/landing?plan=pro&via=${link.token}&referral=${referral.id}#buy`)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin')
  })

  it('reuses the referral within an hour', async () => {
    const { affiliate, link } = await seller()
    const from = someone()
    const first = await click(app.app, `/r/${program.slug}/${link.token}`, from)
    app.clock.advanceMinutes(10)
    expect((await click(app.app, `/r/${program.slug}/${link.token}/`, from)).location).toBe(first.location)
    expect(await referralsOf(affiliate.id)).toHaveLength(1)
  })

  it('passes on other parameters, which cannot change the target', async () => {
    const { link } = await seller('https://shop.acme.test/landing?plan=pro&via=old')
    const query = 'utm_source=blog&plan=free&via=evil&referral=evil&url=https://evil.test&a=%20b&a=c'
    const { location } = await click(app.app, `/r/${program.slug}/${link.token}?${query}`, someone())
    const to = new URL(location)
    expect(to.origin).toBe('https://shop.acme.test')
    expect(to.search).toMatch(
      new RegExp(
        `^\\?plan=pro&utm_source=blog&url=https://evil\\.test&a=%20b&a=c&via=${link.token}&referral=[0-9a-f-]{36}$`,
      ),
    )
  })

  it('reads the token from the parameters that the program lists, when the path has none', async () => {
    const own = await app.createProgram({ url: 'https://own.test/' })
    const { affiliate, link } = await createSeller(own, { url: 'https://own.test/landing' })
    const listedHere = await app.operator(
      'mutation ($input: UpdateProgramInput!) { updateProgram(input: $input) { program { linkParameters } } }',
      { input: { id: own.id, linkParameters: ['ref', 'lmref'] } },
    )
    expect(listedHere.updateProgram.program.linkParameters).toEqual(['ref', 'lmref'])
    for (const name of ['ref', 'lmref', 'via']) {
      const { location } = await click(app.app, `/r/${own.slug}?${name}=${link.token}`, someone())
      expect(location).toMatch(/^https:\/\/own\.test\/landing\?.*via=.*&referral=/)
    }
    expect((await click(app.app, `/r/${own.slug}?fpr=${link.token}`, someone())).location).toMatch(
      /^https:\/\/own\.test\/\?fpr=/,
    )
    expect(await listed(own, `/referrals?affiliate_id=${affiliate.id}`)).toHaveLength(3)
    await app.operator('mutation ($input: UpdateProgramInput!) { updateProgram(input: $input) { program { id } } }', {
      input: { id: own.id, linkParameters: [] },
    })
    expect((await click(app.app, `/r/${own.slug}?ref=${link.token}`, someone())).location).toMatch(
      /^https:\/\/own\.test\/\?ref=/,
    )
  })

  it('redirects to the program, unchanged, when the token is unknown', async () => {
    for (const token of ['nobody', 'no%20token', '%2F%2Fevil.test', ''])
      expect(await click(app.app, `/r/${program.slug}/${token}`, someone())).toMatchObject({
        status: 302,
        location: 'https://acme.test/start',
      })
  })

  it.each(['disabled', 'suspicious'])('on a link of a %s affiliate redirects and is not recorded', async (state) => {
    const { affiliate, link } = await seller()
    await program.put(`/affiliates/${affiliate.id}`, { state })
    const { status, location } = await click(app.app, `/r/${program.slug}/${link.token}`, someone())
    expect([status, location]).toEqual([302, 'https://shop.acme.test/landing'])
    expect(await referralsOf(affiliate.id)).toEqual([])
  })

  it.each([
    ['a bot', { 'User-Agent': 'Googlebot/2.1' }, 'GET'],
    ['a browser that prefetches', { 'Sec-Purpose': 'prefetch;prerender' }, 'GET'],
    ['HEAD', {}, 'HEAD'],
  ])('by %s redirects and is not recorded', async (_label, headers, method) => {
    const { affiliate, link } = await seller()
    const path = `/r/${program.slug}/${link.token}`
    const { status, location } = await click(app.app, path, { ...someone(), ...headers }, method)
    expect([status, location]).toEqual([302, `https://shop.acme.test/landing?via=${link.token}`])
    expect(await referralsOf(affiliate.id)).toEqual([])
  })

  it('beyond the rate limit redirects and is not recorded', async () => {
    const from = someone()
    for (let n = 0; n < 20; n++) await click(app.app, `/r/${program.slug}/nobody`, from)
    const { affiliate, link } = await seller()
    const { status, location } = await click(app.app, `/r/${program.slug}/${link.token}`, from)
    expect([status, location]).toEqual([302, `https://shop.acme.test/landing?via=${link.token}`])
    expect(await referralsOf(affiliate.id)).toEqual([])
  })

  it('returns 404 for an unknown program and for extra path segments', async () => {
    for (const path of ['/r/nobody/x', '/r//x', '/r/trib_pk_x/x', `/r/${program.slug}/x/y`]) {
      const { status, response } = await click(app.app, path, someone())
      expect([path, status, await response.json()]).toEqual([path, 404, { error: 'Not found.' }])
    }
  })

  it('returns 401 for a secret key in the path, without repeating it', async () => {
    const { status, response } = await click(app.app, `/r/${program.secret}/x`, someone())
    const text = await response.text()
    expect(status).toBe(401)
    expect(text).toContain('publishable')
    expect(text).not.toContain(program.secret)
  })

  it('redirects to the cached target while the database is down', async () => {
    const { link } = await createSeller(program, { url: 'https://shop.acme.test/known' })
    await click(app.app, `/r/${program.slug}/${link.token}`, someone())
    const { db } = app.database
    const fail = () => Promise.reject(Object.assign(new Error('down'), { code: 'ECONNREFUSED' }))
    const broken = new Proxy(db, { get: () => new Proxy(fail, { get: () => fail }) })
    let current = db
    const prisma = new Proxy({} as typeof db, { get: (_target, name) => Reflect.get(current, name) })
    const { query, transaction, textRows, sharedTextRows, isInThread } = db.sql
    const sql: SqlDatabase = {
      query: (...args) => (current === db ? query(...args) : fail()),
      textRows: (...args) => (current === db ? textRows(...args) : fail()),
      sharedTextRows: (...args) => (current === db ? sharedTextRows(...args) : fail()),
      transaction: (...args) => (current === db ? transaction(...args) : fail()),
      canCancel: false,
      isInThread,
      programRole: null,
    }
    const switched = createAppDb(prisma, sql, db.reads)
    const own = createInstance({
      database: { db: switched, ping: app.database.ping },
      adminToken: 'x'.repeat(8),
      publicUrl: () => '',
      log: silentLog,
    })
    await click(own, `/r/${program.slug}/${link.token}`, someone())
    current = broken
    const { status, location } = await click(own, `/r/${program.slug}/${link.token}?utm_source=x`, someone())
    expect([status, location]).toEqual([302, `https://shop.acme.test/known?utm_source=x&via=${link.token}`])
    const other = await click(own, `/r/${program.slug}/some-other`, someone())
    expect([other.status, other.location]).toEqual([302, 'https://acme.test/start?via=some-other'])
    expect((await click(own, '/r/unheard-of/x', someone())).status).toBe(503)
  })

  it('uses the current URL of the campaign', async () => {
    const { campaign, link } = await seller()
    await click(app.app, `/r/${program.slug}/${link.token}`, someone())
    await program.put(`/campaigns/${campaign.id}`, { url: 'https://moved.test' })
    const { location } = await click(app.app, `/r/${program.slug}/${link.token}`, someone())
    expect(new URL(location).origin).toBe('https://moved.test')
  })

  it('accepts a rotated publishable key until it expires', async () => {
    const own = await app.createProgram()
    await createAffiliate(own, { token: 'ada' })
    const path = `/r/${own.publishableKey}/ada`
    await own.graphql('mutation { rotatePublishableKey(input: { keepOldForHours: 2 }) { program { id } } }')
    expect((await click(app.app, path, someone())).status).toBe(302)
    app.clock.advanceMinutes(120)
    expect((await click(app.app, path, someone())).status).toBe(404)
  })
})
