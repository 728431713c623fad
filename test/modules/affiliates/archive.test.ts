import { describe, expect, it } from 'vitest'
import { createTestApp } from '../../support/app.ts'
import {
  createAffiliate,
  createCampaign,
  createCoupon,
  createSeller,
  listed,
  recordVisit,
  reportSale,
  unknownId,
} from '../../support/factories.ts'
import { click, createPage, roomy } from '../../support/tracking.ts'

const app = await createTestApp({ tracking: roomy })
const program = await app.createProgram()
const stranger = await app.createProgram()

type Noun = 'AffiliateLink' | 'AffiliateCoupon' | 'Campaign'
const fieldOf = (noun: Noun) => noun.charAt(0).toLowerCase() + noun.slice(1)

const archive = async (noun: Noun, id: string, verb: 'archive' | 'unarchive' = 'archive', from = program) => {
  const field = fieldOf(noun)
  const data = await from.graphql(
    `mutation ($id: ID!) { ${verb}${noun}(input: { id: $id }) { ${field} { id archivedAt updatedAt } } }`,
    { id },
  )
  return data[`${verb}${noun}`][field]
}
const remove = async (noun: Noun, id: string, from = program) =>
  (await from.graphql(`mutation ($id: ID!) { delete${noun}(input: { id: $id }) { deletedId } }`, { id }))[
    `delete${noun}`
  ].deletedId
const errorOf = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    ({ errors: [{ message, extensions }] }) => ({ message, code: extensions.code, reasons: extensions.reasons }),
  )
const historyOf = async (type: 'affiliate' | 'campaign', id: string) => {
  const entries = (
    await program.graphql(
      `{ history(subject: ${type.toUpperCase()}, id: "${id}") { nodes { action changes { field from to } } } }`,
    )
  ).history.nodes
  return entries.map(({ action, changes }: any) => [
    action.toLowerCase(),
    ...changes.map(({ field, from, to }: any) => `${field}: ${from} -> ${to}`),
  ])
}
/** One of each noun, which nothing refers to. */
async function unused() {
  const affiliate = await createAffiliate(program)
  const coupon = await createCoupon(program, affiliate.id)
  const { body: link } = await program.post('/affiliate_links', { affiliate_id: affiliate.id })
  const campaign = await createCampaign(program)
  return { affiliate, AffiliateCoupon: coupon, AffiliateLink: link, Campaign: campaign }
}
const nouns = ['AffiliateLink', 'AffiliateCoupon', 'Campaign'] as const
const restPath = { AffiliateLink: '/affiliate_links', AffiliateCoupon: '/affiliate_coupons', Campaign: '/campaigns' }
const now = () => app.clock.now.toISOString()

describe.each(nouns)('%s', (noun) => {
  it('can be deleted while nothing refers to it', async () => {
    const { [noun]: row } = await unused()
    expect(await remove(noun, row.id)).toBe(row.id)
    expect((await program.get(`${restPath[noun]}/${row.id}`)).status).toBe(404)
    expect(await errorOf(remove(noun, row.id))).toMatchObject({ code: 'NOT_FOUND' })
  })

  it("cannot be deleted or archived from another program, and keeps the other program's row", async () => {
    const { [noun]: row } = await unused()
    for (const run of [() => remove(noun, row.id, stranger), () => archive(noun, row.id, 'archive', stranger)])
      expect(await errorOf(run())).toMatchObject({ code: 'NOT_FOUND' })
    expect(await errorOf(archive(noun, unknownId))).toMatchObject({ code: 'NOT_FOUND' })
    expect((await program.get(`${restPath[noun]}/${row.id}`)).status).toBe(200)
  })

  it('is archived once, and unarchived', async () => {
    const { [noun]: row } = await unused()
    app.clock.advanceMinutes(1)
    const archived = await archive(noun, row.id)
    expect(archived).toEqual({ id: row.id, archivedAt: now(), updatedAt: now() })
    app.clock.advanceMinutes(1)
    expect(await archive(noun, row.id)).toEqual(archived)
    expect(await archive(noun, row.id, 'unarchive')).toMatchObject({ archivedAt: null, updatedAt: now() })
  })

  it('is out of lists while it is archived, unless asked for', async () => {
    const { [noun]: row } = await unused()
    const field = `${fieldOf(noun)}s`
    const idsOf = async (args: string) =>
      (await program.graphql(`{ ${field}(first: 100${args}) { totalCount nodes { id } } }`))[field]
    await archive(noun, row.id)
    const [plain, all, onlyArchived] = [
      await idsOf(''),
      await idsOf(', includeArchived: true'),
      await idsOf(', where: { archivedAt: { not: null } }'),
    ]
    const has = ({ nodes }: any) => nodes.some(({ id }: any) => id === row.id)
    expect([has(plain), has(all), has(onlyArchived)]).toEqual([false, true, true])
    expect(plain.totalCount + onlyArchived.totalCount).toBe(all.totalCount)
    const rest = async () => (await listed(program, `${restPath[noun]}?limit=100`)).some(({ id }) => id === row.id)
    expect(await rest()).toBe(false)
    expect((await program.get(`${restPath[noun]}/${row.id}`)).status).toBe(200)
    await archive(noun, row.id, 'unarchive')
    expect([has(await idsOf('')), await rest()]).toEqual([true, true])
  })

  it('is not archived or deleted by a read-only key', async () => {
    const { [noun]: row } = await unused()
    const create =
      'mutation ($id: ID!) { createApiKey(input: { programId: $id, name: "Reader", access: READ }) { secret } }'
    const { createApiKey } = await app.operator(create, { id: program.id })
    for (const verb of ['archive', 'unarchive', 'delete']) {
      const body = JSON.stringify({ query: `mutation { ${verb}${noun}(input: { id: "${row.id}" }) { __typename } }` })
      const headers = { Authorization: `Bearer ${createApiKey.secret}`, 'Content-Type': 'application/json' }
      const request = new Request('http://localhost:4000/graphql', { method: 'POST', headers, body })
      const { errors } = (await (await app.app.fetch(request)).json()) as any
      expect(errors[0].extensions.code).toBe('FORBIDDEN')
    }
  })
})

describe('what refers to a row keeps it', () => {
  it('a referral or a visit keeps a link', async () => {
    const { link } = await createSeller(program)
    await recordVisit(program, link.token)
    expect(await errorOf(remove('AffiliateLink', link.id))).toEqual({
      message: 'The link cannot be deleted, because it is referred to by: 1 referral. Archive it instead.',
      code: 'REFUSED',
      reasons: ['REFERRALS'],
    })
    await createPage(app.app, program).visit(link.token)
    expect(await errorOf(remove('AffiliateLink', link.id))).toMatchObject({ reasons: ['REFERRALS', 'VISITS'] })
  })

  it('a sale by coupon keeps the coupon and the campaign', async () => {
    const { campaign, coupon } = await createSeller(program)
    await reportSale(program, { coupon })
    const id = (await listed(program, '/affiliate_coupons?limit=100')).find(({ token }) => token === coupon).id
    expect(await errorOf(remove('AffiliateCoupon', id))).toMatchObject({ code: 'REFUSED', reasons: ['REFERRALS'] })
    expect(await errorOf(remove('Campaign', campaign.id))).toMatchObject({
      code: 'REFUSED',
      reasons: ['AFFILIATES', 'REFERRALS', 'SALES', 'COMMISSIONS'],
    })
    expect((await program.get(`/campaigns/${campaign.id}`)).status).toBe(200)
  })

  it('the default campaign is neither deleted nor archived', async () => {
    const { id } = (await createAffiliate(await app.createProgram())).campaign
    expect(await errorOf(remove('Campaign', id))).toMatchObject({ code: 'NOT_FOUND' })
    const own = (await createAffiliate(program)).campaign.id
    for (const run of [() => remove('Campaign', own), () => archive('Campaign', own)])
      expect(await errorOf(run())).toMatchObject({
        code: 'REFUSED',
        message: expect.stringContaining('default campaign'),
      })
  })
})

describe('history', () => {
  it("records it for the affiliate's links and coupon, with their tokens", async () => {
    const { affiliate, AffiliateLink: link, AffiliateCoupon: coupon } = await unused()
    await archive('AffiliateLink', link.id)
    await archive('AffiliateLink', link.id, 'unarchive')
    await remove('AffiliateLink', link.id)
    await archive('AffiliateCoupon', coupon.id)
    const entries = await historyOf('affiliate', affiliate.id)
    expect(entries.slice(0, 4)).toEqual([
      ['coupon_archived', `token: ${coupon.token} -> ${coupon.token}`, `archivedAt: null -> ${now()}`],
      ['link_deleted', `token: ${link.token} -> null`],
      ['link_unarchived', `token: ${link.token} -> ${link.token}`, `archivedAt: ${now()} -> null`],
      ['link_archived', `token: ${link.token} -> ${link.token}`, `archivedAt: null -> ${now()}`],
    ])
  })

  it('records it for a campaign, also after it was deleted', async () => {
    const { id } = await createCampaign(program)
    await archive('Campaign', id)
    await remove('Campaign', id)
    const [deleted, archived] = await historyOf('campaign', id)
    expect(deleted[0]).toBe('deleted')
    expect(deleted).toContain('name: Partners -> null')
    expect(archived).toEqual(['archived', `archivedAt: null -> ${now()}`])
  })
})

describe('an archived link', () => {
  it("records nothing, and leads to the campaign's URL", async () => {
    const { affiliate, link } = await createSeller(program, { url: 'https://acme.test/landing' })
    await archive('AffiliateLink', link.id)
    expect(await errorOf(recordVisit(program, link.token))).toMatchObject({ code: 'REFUSED' })
    const { status, location } = await click(app.app, `/r/${program.slug}/${link.token}?utm_source=blog`)
    expect([status, location]).toEqual([302, 'https://acme.test/landing?utm_source=blog'])
    await createPage(app.app, program).visit(link.token)
    expect(await listed(program, `/referrals?affiliate_id=${affiliate.id}`)).toEqual([])
    expect((await program.get(`/affiliates/${affiliate.id}`)).body.links).toEqual([])
    await archive('AffiliateLink', link.id, 'unarchive')
    expect((await click(app.app, `/r/${program.slug}/${link.token}`)).location).toContain(`via=${link.token}`)
  })

  it('keeps its token and its earlier referrals', async () => {
    const { affiliate, link } = await createSeller(program)
    const { id } = await recordVisit(program, link.token)
    await archive('AffiliateLink', link.id)
    const again = await program.post('/affiliate_links', { affiliate_id: affiliate.id, token: link.token })
    expect(again.status).toBe(422)
    expect((await reportSale(program, { referral_id: id })).commission.affiliate_id).toBe(affiliate.id)
  })
})

describe('an archived coupon', () => {
  it('attributes no sale that occurs later, and its code stays reserved', async () => {
    const { affiliate, coupon } = await createSeller(program)
    const id = (await program.get(`/affiliates/${affiliate.id}`)).body.coupon.id
    await archive('AffiliateCoupon', id)
    const { status, body } = await program.post('/conversions', { amount_cents: 100, coupon })
    expect([status, body.details]).toEqual([422, ['no_matching_affiliate', 'coupon_archived']])
    const other = await createAffiliate(program)
    const taken = await program.post('/affiliate_coupons', { affiliate_id: other.id, token: coupon.toLowerCase() })
    expect([taken.status, taken.body.details]).toEqual([422, ['Token is already in use.']])
    await archive('AffiliateCoupon', id, 'unarchive')
    expect((await reportSale(program, { coupon })).commission.affiliate_id).toBe(affiliate.id)
  })
})

describe('an archived campaign', () => {
  it('takes no affiliate, by creation, update or import, and keeps those that it has', async () => {
    const { campaign, affiliate } = await createSeller(program)
    await archive('Campaign', campaign.id)
    const message = 'Campaign is archived. Unarchive it first, or choose another.'
    const made = await program.post('/affiliates', { email: 'late@example.com', campaign_id: campaign.id })
    expect([made.status, made.body.details]).toEqual([422, [message]])
    const other = await createAffiliate(program)
    const moved = await program.put(`/affiliates/${other.id}`, { campaign_id: campaign.id })
    expect([moved.status, moved.body.details]).toEqual([422, [message]])
    const csv = `email,campaign\nlater@example.com,${campaign.id}\n`
    const { importAffiliates } = await program.graphql(
      'mutation ($csv: String!) { importAffiliates(input: { csv: $csv }) { created lines { problems { message } } } }',
      { csv },
    )
    expect(importAffiliates).toEqual({ created: 0, lines: [{ problems: [{ message }] }] })
    const kept = await program.put(`/affiliates/${affiliate.id}`, { campaign_id: campaign.id, first_name: 'Ada' })
    expect([kept.status, kept.body.campaign.id]).toEqual([200, campaign.id])
  })

  it('gets no new referrals, visits or sales, and earlier referrals keep earning', async () => {
    const { campaign, affiliate, link, coupon } = await createSeller(program, { url: 'https://acme.test/old' })
    const { id } = await recordVisit(program, link.token)
    await archive('Campaign', campaign.id)
    expect(await errorOf(recordVisit(program, link.token))).toMatchObject({ code: 'REFUSED' })
    expect((await click(app.app, `/r/${program.slug}/${link.token}`)).location).toBe('https://acme.test/old')
    const { body } = await program.post('/conversions', { amount_cents: 100, coupon })
    expect(body.details).toEqual(['no_matching_affiliate', 'coupon_archived'])
    expect(await listed(program, `/referrals?affiliate_id=${affiliate.id}`)).toHaveLength(1)
    expect((await reportSale(program, { referral_id: id })).commission.campaign_id).toBe(campaign.id)
  })
})
