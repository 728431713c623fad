import { describe, expect, it } from 'vitest'
import { createTestApp } from '../../../support/app.ts'
import {
  createAffiliate,
  createCampaign,
  createCoupon,
  listed,
  recordVisit,
  unknownId,
} from '../../../support/factories.ts'

const app = await createTestApp()
const program = await app.createProgram()

describe('POST /affiliate_links', () => {
  it('201 returns the link with exactly the documented fields', async () => {
    const affiliate = await createAffiliate(program)
    const { status, body } = await program.post('/affiliate_links', { affiliate_id: affiliate.id, token: 'Blog-Post' })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(String),
      object: 'affiliate_link',
      url: 'https://acme.test/?via=Blog-Post',
      token: 'Blog-Post',
      visitors: 0,
      leads: 0,
      conversions: 0,
      affiliate_id: affiliate.id,
    })
    const read = await program.get(`/affiliates/${affiliate.id}`)
    expect(read.body.links).toEqual([affiliate.links[0], body])
  })

  it.each([{}, { token: '' }, { token: null }])('201 generates a token if none is given: %j', async (fields) => {
    const affiliate = await createAffiliate(program)
    const { status, body } = await program.post('/affiliate_links', { affiliate_id: affiliate.id, ...fields })
    expect(status).toBe(201)
    expect(body.token).toMatch(/^[A-Za-z0-9-]{1,100}$/)
  })

  it.each([
    ['https://acme.test', 'https://acme.test/?via=T'],
    ['https://acme.test/pricing', 'https://acme.test/pricing?via=T'],
    ['https://acme.test/p?plan=pro&x=%20', 'https://acme.test/p?plan=pro&x=%20&via=T'],
    ['https://acme.test/p?a=1#top', 'https://acme.test/p?a=1&via=T#top'],
    ['http://acme.test:8080/?', 'http://acme.test:8080/?via=T'],
  ])('201 adds via to the campaign URL %s', async (url, expected) => {
    const campaign = await createCampaign(program, { url })
    const token = `T${campaign.id.slice(-8)}`
    const { links } = await createAffiliate(program, { campaign_id: campaign.id, token })
    expect(links[0].url).toBe(expected.replace('via=T', `via=${token}`))
  })

  it('201 for a token that a coupon has, but no link', async () => {
    const affiliate = await createAffiliate(program)
    await createCoupon(program, affiliate.id, 'BOTH')
    const { status } = await program.post('/affiliate_links', { affiliate_id: affiliate.id, token: 'both' })
    expect(status).toBe(201)
  })

  it('201 for the longest token, 422 for one character more', async () => {
    const { id } = await createAffiliate(program)
    const post = (token: string) => program.post('/affiliate_links', { affiliate_id: id, token })
    expect((await post('a'.repeat(100))).status).toBe(201)
    expect((await post('b'.repeat(101))).status).toBe(422)
  })

  it('422 for a token that a link of the program has, ignoring case', async () => {
    const [one, other] = [await createAffiliate(program, { token: 'Once' }), await createAffiliate(program)]
    for (const { id } of [one, other]) {
      const { status, body } = await program.post('/affiliate_links', { affiliate_id: id, token: 'ONCE' })
      expect(status).toBe(422)
      expect(body).toEqual({ error: 'Could not create affiliate link.', details: ['Token is already in use.'] })
    }
  })

  it.each([unknownId, 'nonsense'])('422 for the unknown affiliate %s', async (affiliateId) => {
    const { status, body } = await program.post('/affiliate_links', { affiliate_id: affiliateId })
    expect(status).toBe(422)
    expect(body.details).toEqual(['Affiliate not found.'])
  })

  it('422 reports every problem at once', async () => {
    const { body } = await program.post('/affiliate_links', { token: 'not a token' })
    expect(body.details).toEqual(["Affiliate can't be blank", expect.stringMatching(/^Token /)])
  })
})

describe('POST /affiliates/{id}/links', () => {
  it('201 returns the same as POST /affiliate_links', async () => {
    const { id } = await createAffiliate(program)
    const { status, body } = await program.post(`/affiliates/${id}/links`, { token: 'nested' })
    expect(status).toBe(201)
    expect(body).toMatchObject({ object: 'affiliate_link', token: 'nested', affiliate_id: id })
  })

  it('adds the link to the affiliate of the path, even if the body names another', async () => {
    const [one, other] = [await createAffiliate(program), await createAffiliate(program)]
    const { body } = await program.post(`/affiliates/${one.id}/links`, { affiliate_id: other.id })
    expect(body.affiliate_id).toBe(one.id)
  })

  it.each([unknownId, 'nonsense'])('404 for the unknown affiliate %s in the path', async (id) => {
    const { status, body } = await program.post(`/affiliates/${id}/links`, { token: 'x' })
    expect(status).toBe(404)
    expect(body).toEqual({ error: `Affiliate not found: ${id}` })
  })
})

it('GET /affiliate_links lists links newest first, and filters by affiliate', async () => {
  const own = await app.createProgram()
  const ada = await createAffiliate(own, { token: 'ada' })
  await createAffiliate(own, { token: 'grace' })
  const { body } = await own.post('/affiliate_links', { affiliate_id: ada.id, token: 'ada-2' })
  expect((await listed(own, '/affiliate_links')).map(({ token }) => token)).toEqual(['ada-2', 'grace', 'ada'])
  expect(await listed(own, `/affiliate_links?affiliate_id=${ada.id}`)).toEqual([body, ada.links[0]])
})

describe('GET and PUT /affiliate_links/{id}', () => {
  it('200 changes the token, which must be unique, and keeps the referrals of the link', async () => {
    const { links } = await createAffiliate(program, { token: 'before' })
    const [link] = links
    await recordVisit(program, 'before')
    const { status, body } = await program.put(`/affiliate_links/${link.id}`, { token: 'After' })
    expect(status).toBe(200)
    expect(body).toEqual({ ...link, token: 'After', url: 'https://acme.test/?via=After', visitors: 1 })
    expect((await program.get(`/affiliate_links/${link.id}`)).body).toEqual(body)
    await expect(recordVisit(program, 'before')).rejects.toThrow('Affiliate link not found: before')
    expect((await recordVisit(program, 'AFTER')).id).toEqual(expect.any(String))
    const other = await createAffiliate(program, { token: 'before' })
    const taken = await program.put(`/affiliate_links/${other.links[0].id}`, { token: 'aFTER' })
    expect(taken.status).toBe(422)
    expect(taken.body).toEqual({ error: 'Could not update affiliate link.', details: ['Token is already in use.'] })
  })

  it('changes nothing without a token, and accepts its own token in another case', async () => {
    const { links } = await createAffiliate(program, { token: 'same' })
    expect((await program.put(`/affiliate_links/${links[0].id}`, {})).body).toEqual(links[0])
    expect((await program.put(`/affiliate_links/${links[0].id}`, { token: 'SAME' })).body.token).toBe('SAME')
  })

  it.each([unknownId, 'nonsense'])('404 for the unknown link %s', async (id) => {
    for (const answer of [
      await program.get(`/affiliate_links/${id}`),
      await program.put(`/affiliate_links/${id}`, { token: 'x' }),
    ]) {
      expect([answer.status, answer.body]).toEqual([404, { error: `Affiliate link not found: ${id}` }])
    }
  })
})
