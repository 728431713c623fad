import { expect, it } from 'vitest'
import { createTestApp } from '../../support/app.ts'
import { createSeller, recordLead, reportSale } from '../../support/factories.ts'
import { click, createPage, roomy } from '../../support/tracking.ts'

const test = await createTestApp({ tracking: roomy })

const fields = 'sub visitors leads conversions sales salesAmount { amountCents } commission { amountCents }'
const range = { preset: 'LAST_30_DAYS' }

async function start() {
  const program = await test.createProgram()
  const ada = await createSeller(program, { name: 'Launch', commission_percent: 20 })
  const { createAffiliateToken } = await program.graphql(
    'mutation ($id: ID!) { createAffiliateToken(input: { affiliateId: $id }) { token } }',
    { id: ada.affiliate.id },
  )
  const mine = async () => {
    const response = await test.app.fetch(
      new Request('http://localhost:4000/graphql', {
        method: 'POST',
        headers: { Authorization: `Bearer ${createAffiliateToken.token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ query: `{ me { analytics(range: { preset: LAST_30_DAYS }) { subs { ${fields} } } } }` }),
      }),
    )
    const { data, errors } = (await response.json()) as any
    if (errors) throw new Error(errors[0].message)
    return data.me.analytics.subs
  }
  const all = async (where = {}) =>
    (
      await program.graphql(
        `query ($range: AnalyticsRange!, $where: AnalyticsWhere) { analytics(range: $range, where: $where) { subs { ${fields} affiliate { id } } } }`,
        { range, where },
      )
    ).analytics.subs
  let visitors = 0
  const visit = (token: string, url: string, more = {}) => {
    visitors += 1
    return createPage(test.app, program, `203.0.113.${visitors}`).visit(token, { url, ...more })
  }
  return { program, ada, mine, all, visit }
}

it('reports visitors, leads, sales and commissions by the sub-id of the address, to the affiliate and the program', async () => {
  const { program, ada, mine, all, visit } = await start()
  const { token } = ada.link
  const first = await visit(token, `https://acme.test/?via=${token}&sub=video-12#top`)
  await visit(token, `https://acme.test/pricing?sub=video-12&via=${token}`)
  await visit(token, `https://acme.test/?via=${token}&sub=mail`)
  await visit(token, `https://acme.test/?via=${token}`)
  await recordLead(program, first.body.referral_id, 'grace@customers.test')
  await reportSale(program, { email: 'grace@customers.test', amount_cents: 5_000 })
  const video = {
    sub: 'video-12',
    visitors: 2,
    leads: 1,
    conversions: 1,
    sales: 1,
    salesAmount: { amountCents: 5_000 },
    commission: { amountCents: 1_000 },
  }
  const mail = {
    sub: 'mail',
    visitors: 1,
    leads: 0,
    conversions: 0,
    sales: 0,
    salesAmount: { amountCents: 0 },
    commission: { amountCents: 0 },
  }
  expect(await mine()).toEqual([video, mail])
  const affiliate = { id: ada.affiliate.id }
  expect(await all()).toEqual([
    { ...video, affiliate },
    { ...mail, affiliate },
  ])
})

it('keeps those of other affiliates apart', async () => {
  const { program, ada, mine, all, visit } = await start()
  const bob = await createSeller(program, { name: 'Other' })
  await visit(bob.link.token, `https://acme.test/?via=${bob.link.token}&sub=video-12`)
  expect(await mine()).toEqual([])
  expect(await all()).toMatchObject([{ sub: 'video-12', affiliate: { id: bob.affiliate.id } }])
  expect(await all({ affiliateId: { equals: ada.affiliate.id } })).toEqual([])
})

it('takes the sub-id of redirects, of the field, and of recordVisit; and leaves one of another form out', async () => {
  const { program, ada, mine, visit } = await start()
  const { token } = ada.link
  const { location } = await click(test.app, `/r/${program.slug}/${token}?sub=banner`)
  expect(new URL(location).searchParams.get('sub')).toBe('banner')
  await visit(token, 'https://acme.test/', { sub: 'app' })
  await program.graphql('mutation ($input: RecordVisitInput!) { recordVisit(input: $input) { referral { sub } } }', {
    input: { token, sub: 'server' },
  })
  expect((await visit(token, `https://acme.test/?via=${token}&sub=a b<script>`)).status).toBe(201)
  expect((await mine()).map(({ sub }: any) => sub).sort()).toEqual(['app', 'banner', 'server'])
  const { referrals } = await program.graphql(
    '{ referrals(first: 9, where: { sub: { equals: "banner" } }) { nodes { sub affiliateId } } }',
  )
  expect(referrals.nodes).toEqual([{ sub: 'banner', affiliateId: ada.affiliate.id }])
})

it('the affiliates of a list have their own sub-ids each, up to the limit', async () => {
  const { program, ada, visit } = await start()
  const bob = await createSeller(program, { name: 'Other' })
  for (const sub of ['a', 'b', 'b', 'c', 'c', 'c']) await visit(ada.link.token, `https://acme.test/?sub=${sub}`)
  await visit(bob.link.token, 'https://acme.test/?sub=a')
  const { affiliates } = await program.graphql(
    'query ($range: AnalyticsRange!) { affiliates(first: 5) { nodes { id analytics(range: $range) { subs(limit: 2) { sub visitors } } } } }',
    { range },
  )
  const subsOf = new Map(affiliates.nodes.map(({ id, analytics }: any) => [id, analytics.subs]))
  expect(subsOf.get(ada.affiliate.id)).toEqual([
    { sub: 'c', visitors: 3 },
    { sub: 'b', visitors: 2 },
  ])
  expect(subsOf.get(bob.affiliate.id)).toEqual([{ sub: 'a', visitors: 1 }])
})
