import { describe, expect, it } from 'vitest'
import { createTestApp, type TestProgram } from '../../support/app.ts'
import { createCountedDatabase } from '../../support/database.ts'
import { createAffiliate, createCoupon, listed, unknownId } from '../../support/factories.ts'
import { times } from '../../support/parallel.ts'

const database = await createCountedDatabase()
const app = await createTestApp({ database })

const createMany = async (program: TestProgram, affiliates: object[]) => {
  const query = `mutation ($input: CreateAffiliatesInput!) {
    createAffiliates(input: $input) { affiliates { id email campaign { name } links { nodes { token } } } }
  }`
  return (await program.graphql(query, { input: { affiliates } })).createAffiliates.affiliates
}
const createLinks = async (program: TestProgram, affiliateLinks: object[]) => {
  const query = `mutation ($input: CreateAffiliateLinksInput!) {
    createAffiliateLinks(input: $input) { affiliateLinks { id token url affiliate { id } } }
  }`
  return (await program.graphql(query, { input: { affiliateLinks } })).createAffiliateLinks.affiliateLinks
}
const createCoupons = async (program: TestProgram, affiliateCoupons: object[]) => {
  const query = `mutation ($input: CreateAffiliateCouponsInput!) {
    createAffiliateCoupons(input: $input) { affiliateCoupons { token affiliate { id } } }
  }`
  return (await program.graphql(query, { input: { affiliateCoupons } })).createAffiliateCoupons.affiliateCoupons
}
const problemsOf = (run: Promise<unknown>): Promise<[string, string][]> =>
  run.then(
    () => expect.unreachable('it was not refused'),
    (error) => error.errors[0].extensions.problems.map((one: any) => [one.path.join('.'), one.message]),
  )
const entries = (count: number, more: object = {}) =>
  Array.from({ length: count }, (_, index) => ({ email: `a${index}@example.com`, ...more }))

describe('createAffiliates', () => {
  it('creates all in the given order, each with its own link and history', async () => {
    const program = await app.createProgram()
    const made = await createMany(program, [
      { email: 'zoe@example.com', firstName: 'Ada', lastName: 'Lovelace' },
      { email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' },
      { email: 'bob@example.com', token: 'ADA-lovelace' },
    ])
    expect(made.map(({ email }: any) => email)).toEqual(['zoe@example.com', 'ada@example.com', 'bob@example.com'])
    // The given token is used. Generated tokens avoid it, and each other.
    expect(made[2].links.nodes).toEqual([{ token: 'ADA-lovelace' }])
    for (const { links } of made.slice(0, 2))
      expect(links.nodes).toEqual([{ token: expect.stringMatching(/^ada-lovelace-/) }])
    expect((await listed(program, '/affiliates')).map(({ id }) => id)).toEqual(made.map(({ id }: any) => id).reverse())
    const { affiliate } = await program.graphql(`{ affiliate(id: "${made[1].id}") { history { nodes { action } } } }`)
    expect(affiliate.history.nodes.map(({ action }: any) => action)).toEqual(['LINK_CREATED', 'CREATED'])
  })

  it('reports every problem of every entry with its position, and creates nothing', async () => {
    const program = await app.createProgram()
    await createAffiliate(program, { email: 'ada@example.com', token: 'taken' })
    const wrong = [
      { email: 'new@example.com' },
      { email: 'ADA@example.com', token: 'no token' },
      { email: 'nobody', campaignId: unknownId },
      { email: 'NEW@example.com', token: 'TAKEN' },
      { email: 'twin@example.com', token: 'twin' },
      { email: 'other@example.com', token: 'Twin', paypalEmail: 'x' },
    ]
    expect(await problemsOf(createMany(program, wrong))).toEqual([
      ['input.affiliates.1.token', expect.stringContaining('Token may hold')],
      ['input.affiliates.1.email', 'Email has already been taken'],
      ['input.affiliates.2.email', 'Email is not a valid e-mail address'],
      ['input.affiliates.2.campaignId', 'Campaign not found.'],
      ['input.affiliates.3.email', 'Email has already been taken'],
      ['input.affiliates.3.token', 'Token is already in use.'],
      ['input.affiliates.5.paypalEmail', 'PayPal e-mail is not a valid e-mail address'],
      ['input.affiliates.5.token', 'Token is already in use.'],
    ])
    expect(await listed(program, '/affiliates')).toHaveLength(1)
  })

  it('accepts 1 to 100 entries', async () => {
    const program = await app.createProgram()
    expect(await createMany(program, entries(100))).toHaveLength(100)
    for (const count of [0, 101]) {
      expect((await problemsOf(createMany(program, entries(count))))[0]?.[0]).toBe('input.affiliates')
    }
  })

  it('runs as many statements for 25 entries as for two, and two more for each further 25', async () => {
    const counts: number[] = []
    for (const count of [2, 25, 100]) {
      const program = await app.createProgram()
      database.statements.length = 0
      await createMany(program, entries(count))
      counts.push(database.statements.length)
    }
    const [few = 0] = counts
    expect(counts).toEqual([few, few, few + 6])
    expect(few).toBeLessThan(15)
  })

  it('creates the list once when many send it concurrently, and rejects the others as taken', async () => {
    const program = await app.createProgram()
    const outcomes = await times(6, () =>
      createMany(program, entries(5)).then(
        () => 'made',
        (error) => error.errors[0].extensions.code,
      ),
    )
    expect(outcomes.filter((outcome) => outcome === 'made')).toHaveLength(1)
    expect(outcomes.filter((outcome) => outcome === 'INVALID_INPUT')).toHaveLength(5)
    expect(await listed(program, '/affiliates')).toHaveLength(5)
  })
})

describe('createAffiliateLinks', () => {
  it('adds links to one affiliate and to several, in the given order', async () => {
    const program = await app.createProgram()
    const [ada, bob] = [await createAffiliate(program, { token: 'ada' }), await createAffiliate(program)]
    const wanted = [
      { affiliateId: bob.id, token: 'b-1' },
      { affiliateId: ada.id, token: 'a-1' },
      { affiliateId: ada.id, token: 'a-2' },
      { affiliateId: ada.id },
    ]
    const made = await createLinks(program, wanted)
    expect(made.slice(0, 3).map(({ token, affiliate }: any) => ({ affiliateId: affiliate.id, token }))).toEqual(
      wanted.slice(0, 3),
    )
    expect(made[3].affiliate.id).toBe(ada.id)
  })

  it('reports every problem of every entry with its position, and creates nothing', async () => {
    const program = await app.createProgram()
    const { id: affiliateId } = await createAffiliate(program, { token: 'ada' })
    const links = [
      { affiliateId, token: 'new' },
      { affiliateId: unknownId, token: 'ADA' },
      { affiliateId: 'nonsense', token: 'NEW' },
    ]
    expect(await problemsOf(createLinks(program, links))).toEqual([
      ['input.affiliateLinks.1.affiliateId', 'Affiliate not found.'],
      ['input.affiliateLinks.1.token', 'Token is already in use.'],
      ['input.affiliateLinks.2.affiliateId', 'Affiliate not found.'],
      ['input.affiliateLinks.2.token', 'Token is already in use.'],
    ])
    expect(await listed(program, '/affiliate_links')).toHaveLength(1)
  })
})

describe('createAffiliateCoupons', () => {
  it('adds a coupon to each affiliate, in the given order', async () => {
    const program = await app.createProgram()
    const affiliates = await createMany(program, entries(3))
    const wanted = affiliates.map(({ id }: any, index: number) => ({ affiliateId: id, token: `CODE-${9 - index}` }))
    const made = await createCoupons(program, wanted)
    expect(made.map(({ token, affiliate }: any) => ({ affiliateId: affiliate.id, token }))).toEqual(wanted)
  })

  it('reports every problem of every entry with its position, and creates nothing', async () => {
    const program = await app.createProgram()
    const [ada, bob] = [await createAffiliate(program), await createAffiliate(program)]
    await createCoupon(program, ada.id, 'ADA20')
    const coupons = [
      { affiliateId: bob.id, token: 'BOB20' },
      { affiliateId: bob.id, token: 'ada20' },
      { affiliateId: ada.id, token: 'bob20' },
      { affiliateId: unknownId, token: '?' },
    ]
    expect(await problemsOf(createCoupons(program, coupons))).toEqual([
      ['input.affiliateCoupons.1.token', 'Token is already in use.'],
      ['input.affiliateCoupons.2.token', 'Token is already in use.'],
      ['input.affiliateCoupons.3.token', expect.stringContaining('Token may hold')],
      ['input.affiliateCoupons.3.affiliateId', 'Affiliate not found.'],
    ])
    expect(await listed(program, '/affiliate_coupons')).toHaveLength(1)
  })
})
