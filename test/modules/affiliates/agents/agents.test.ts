import { describe, expect, it } from 'vitest'
import { createTestApp, type TestProgram } from '../../../support/app.ts'
import { createAffiliate, createLead, createSeller, listed, recordVisit } from '../../../support/factories.ts'
import { createFeedOf, sendEvents } from '../../../support/feeds.ts'
import { createPage, roomy } from '../../../support/tracking.ts'

const test = await createTestApp({ tracking: roomy })

const provider = 'acme.example'
const turnOn = (program: TestProgram, name: string | null = provider) =>
  test.operator(
    'mutation ($input: UpdateProgramInput!) { updateProgram(input: $input) { program { agentProvider } } }',
    {
      input: { id: program.id, agentProvider: name },
    },
  )

/** A program that uses what agents say, with an affiliate. */
async function selling() {
  const program = await test.createProgram()
  await turnOn(program)
  return { program, ...(await createSeller(program)) }
}

let sales = 0
async function sell(program: TestProgram, affiliate_attribution: unknown, more: object = {}) {
  sales += 1
  const report = { amount_cents: 10_000, external_id: `order-${sales}`, affiliate_attribution, ...more }
  const { status, body } = await program.post('/conversions', report)
  const { sales: found } = await program.graphql(
    `query ($id: String!) { sales(where: { externalId: { equals: $id } }) { nodes {
      attributedBy affiliate { id } explanation { sentences tried: signals { signal outcome } dropped { field problem } } } } }`,
    { id: report.external_id },
  )
  return { status, body, sale: found.nodes[0] }
}

const claim = (token: string, more: object = {}) => ({ provider, token, ...more })

describe('a sale with what an agent said', () => {
  it('belongs to the affiliate of the link, the coupon or the id, and says so in its why', async () => {
    const { program, affiliate, coupon, link } = await selling()
    for (const said of [
      claim(link.token.toUpperCase()),
      claim(coupon),
      claim('unknown', { publisher_id: affiliate.id }),
      { provider: ' Acme.Example ', publisher_id: link.token },
    ]) {
      const { status, sale } = await sell(program, said)
      expect([status, sale.attributedBy, sale.affiliate.id]).toEqual([201, 'AGENT', affiliate.id])
      expect(sale.explanation.sentences.join(' ')).toContain('Attributed by what an agent said.')
    }
    const commissions = await listed(program, '/commissions')
    expect(commissions.map(({ amount }) => amount)).toEqual([1000, 1000, 1000, 1000])
    const { sales: counted } = await program.graphql(
      '{ sales { groupBy(by: [ATTRIBUTED_BY]) { attributedBy count } } }',
    )
    expect(counted.groupBy).toEqual([{ attributedBy: 'AGENT', count: 4 }])
  })

  it('comes after the referral id and the coupon, and before the e-mail', async () => {
    const { program, affiliate: ada, link } = await selling()
    const bob = await createSeller(program)
    const visit = await recordVisit(program, bob.link.token)
    const clicked = await sell(program, claim(link.token), { referral_id: visit.id })
    expect([clicked.sale.attributedBy, clicked.sale.affiliate.id]).toEqual(['REFERRAL_ID', bob.affiliate.id])
    expect(clicked.sale.explanation.tried).toContainEqual({ signal: 'AGENT', outcome: 'NOT_TRIED' })
    const coded = await sell(program, claim(link.token), { coupon: bob.coupon })
    expect([coded.sale.attributedBy, coded.sale.affiliate.id]).toEqual(['COUPON', bob.affiliate.id])
    await createLead(program, bob.link.token, 'grace@customers.test')
    const mailed = await sell(program, claim(link.token), { email: 'grace@customers.test', coupon: 'UNKNOWN' })
    expect([mailed.sale.attributedBy, mailed.sale.affiliate.id]).toEqual(['AGENT', ada.id])
    const missed = await sell(program, claim('nobody'), { email: 'grace@customers.test' })
    expect(missed.sale.attributedBy).toBe('EMAIL')
    expect(missed.sale.explanation.sentences.join(' ')).toContain('what an agent said matched nothing')
  })

  it('of several touches belongs to the last that can be used', async () => {
    const { program, link: first } = await selling()
    const { affiliate, link: last } = await createSeller(program)
    const touches = [claim(first.token, { touchpoint: 'first' }), claim(last.token, { touchpoint: 'last' })]
    expect((await sell(program, touches)).sale.affiliate.id).toBe(affiliate.id)
    const off = await createAffiliate(program)
    await program.put(`/affiliates/${off.id}`, { state: 'disabled' })
    const disabled = claim(off.links[0].token, { touchpoint: 'last' })
    expect((await sell(program, [claim(last.token, { touchpoint: 'first' }), disabled])).sale.affiliate.id).toBe(
      affiliate.id,
    )
  })

  it('counts a customer once: the next sale is of the same referral', async () => {
    const { program, link } = await selling()
    for (const n of [1, 2])
      await sell(program, claim(link.token), { email: 'ada@customers.test', customer_name: `${n}` })
    expect(await listed(program, '/referrals')).toHaveLength(1)
  })

  it('that cannot be used is recorded by its other signals, or kept without an affiliate, and says why', async () => {
    const { program, coupon, link } = await selling()
    for (const [said, problem] of [
      [{ provider: 'impact.example', token: link.token }, 'is of another provider'],
      [{ provider }, 'needs a token or a publisher id'],
      [{ token: link.token }, 'is not readable'],
      ['text', 'is not readable'],
    ]) {
      const { sale } = await sell(program, said, { coupon })
      expect(sale.attributedBy).toBe('COUPON')
      expect(sale.explanation.dropped).toEqual([
        { field: 'affiliateAttribution', problem: expect.stringContaining(problem as string) },
      ])
    }
    const expired = await sell(program, claim(link.token, { expires_at: '2026-03-01T00:00:00Z' }))
    expect([expired.status, expired.body.error]).toEqual([422, 'No active affiliate matches this sale.'])
    const { unattributedSales } = await program.graphql(
      '{ unattributedSales { nodes { signals { signal outcome } } } }',
    )
    expect(unattributedSales.nodes[0].signals).toContainEqual({ signal: 'AGENT', outcome: 'EXPIRED' })
  })

  it('is not used until the program switches it on, and not in another program', async () => {
    const { link } = await selling()
    const other = await test.createProgram()
    const seller = await createSeller(other)
    const { sale } = await sell(other, claim(seller.link.token), { coupon: seller.coupon })
    expect(sale.attributedBy).toBe('COUPON')
    expect((await sell(other, claim(seller.link.token))).status).toBe(422)
    await turnOn(other)
    expect((await sell(other, claim(link.token))).status).toBe(422)
    expect((await sell(other, claim(seller.link.token))).sale.attributedBy).toBe('AGENT')
    await turnOn(other, null)
    expect((await sell(other, claim(seller.link.token))).status).toBe(422)
  })

  it('without it lists no such signal', async () => {
    const { program, coupon } = await selling()
    const { sale } = await sell(program, undefined, { coupon })
    expect(sale.explanation.tried.map(({ signal }: { signal: string }) => signal)).toEqual([
      'REFERRAL_ID',
      'COUPON',
      'EMAIL',
    ])
  })
})

describe('a visit with what an agent said', () => {
  const report = async (program: TestProgram, id: string) => {
    const { sales: found } = await program.graphql(
      `query ($id: String!) { sales(where: { externalId: { equals: $id } }) { nodes {
        attributedBy source affiliate { id } referral { agentProvider link { token } } customer { source } } } }`,
      { id },
    )
    return found.nodes[0]
  }

  it.each([
    ['an object', (said: object) => said],
    ['a list', (said: object) => [said]],
    ['text', (said: object) => JSON.stringify(said)],
  ])('begins a referral, as a click does, and its sales come from an agent: %s', async (_name, written) => {
    const { program, affiliate, link, coupon } = await selling()
    const page = createPage(test.app, program)
    for (const [number, said] of [
      claim(link.token),
      claim(coupon),
      { provider, publisher_id: affiliate.id },
    ].entries()) {
      const { status, body } = await page.brought(written(said), { visitor: `visitor-${number}` })
      expect([status, body.referral_id]).toEqual([201, expect.any(String)])
      const email = `buyer-${number}@customers.test`
      const { sale } = await sell(program, undefined, { referral_id: body.referral_id, email })
      expect(sale.attributedBy).toBe('REFERRAL_ID')
      expect(await report(program, `order-${sales}`)).toEqual({
        attributedBy: 'REFERRAL_ID',
        source: 'AGENT',
        affiliate: { id: affiliate.id },
        referral: { agentProvider: provider, link: { token: link.token } },
        customer: { source: 'AGENT' },
      })
    }
  })

  it('goes after the token of a link, and a repeated one has the same referral', async () => {
    const { program, link } = await selling()
    const bob = await createSeller(program)
    const page = createPage(test.app, program)
    const clicked = await page.visit(bob.link.token, { affiliate_attribution: claim(link.token) })
    await sell(program, undefined, { referral_id: clicked.body.referral_id })
    expect(await report(program, `order-${sales}`)).toMatchObject({
      source: 'LINK',
      affiliate: { id: bob.affiliate.id },
      referral: { agentProvider: null },
    })
    const again = () => page.brought(claim(link.token), { visitor: 'the same' })
    const [first, second] = [await again(), await again()]
    expect([first.status, second.status]).toEqual([201, 200])
    expect(second.body.referral_id).toBe(first.body.referral_id)
  })

  it('that cannot be used records nothing, and fails nothing', async () => {
    const { program, link, affiliate } = await selling()
    const page = createPage(test.app, program)
    const other = await selling()
    for (const said of [
      claim('nobody'),
      claim(other.link.token),
      { provider: 'impact.example', token: link.token },
      claim(link.token, { expires_at: '2026-03-01T00:00:00Z' }),
      { provider },
      'text',
      7,
    ]) {
      const { status, body } = await page.brought(said)
      expect([status, body.referral_id]).toEqual([200, null])
    }
    await turnOn(program, null)
    expect((await page.brought(claim(link.token))).body.referral_id).toBeNull()
    expect(await listed(program, `/referrals?affiliate_id=${affiliate.id}`)).toEqual([])
  })
})

describe('the source of a sale', () => {
  it('is the same in GraphQL, in the export and in the customer', async () => {
    const { program, link, coupon } = await selling()
    const visit = await recordVisit(program, link.token)
    const expected = new Map<string, string>()
    const record = async (source: string, said: unknown, more: object) => {
      await sell(program, said, more)
      expected.set(`order-${sales}`, source)
    }
    await record('link', undefined, { referral_id: visit.id, email: 'link@customers.test' })
    await record('coupon', undefined, { coupon })
    await record('agent', claim(link.token), { email: 'agent@customers.test' })
    await record('email', undefined, { email: 'agent@customers.test' })
    const { sales: found } = await program.graphql('{ sales { nodes { externalId source } } }')
    const sources = found.nodes.map((one: { externalId: string; source: string }) => [one.externalId, one.source])
    expect(new Map(sources.map(([id, source]: string[]) => [id, source?.toLowerCase()]))).toEqual(expected)
    const { body: text } = await program.send('/exports/sales', { headers: { Accept: 'application/x-ndjson' } })
    const lines = text
      .trim()
      .split('\n')
      .map((line: string) => JSON.parse(line))
    expect(new Map(lines.map((one: any) => [one.external_id, one.source]))).toEqual(expected)
    const { customers } = await program.graphql('{ customers { nodes { email source } } }')
    expect(customers.nodes).toContainEqual({ email: 'agent@customers.test', source: 'AGENT' })
  })
})

describe('an event of a feed', () => {
  it.each([
    ['as an object', (said: object) => said],
    ['as text', (said: object) => JSON.stringify(said)],
    ['as a list', (said: object) => [said]],
  ])('has what an agent said in its metadata, %s', async (_name, written) => {
    const { program, affiliate, link } = await selling()
    const feed = await createFeedOf(program, 'POLAR')
    const order = {
      type: 'order.paid',
      timestamp: '2026-03-10T11:00:00Z',
      data: {
        id: 'order_1',
        created_at: '2026-03-10T11:00:00Z',
        status: 'paid',
        paid: true,
        currency: 'usd',
        total_amount: 5000,
        net_amount: 5000,
        tax_amount: 0,
        customer: { id: 'customer_1', email: 'buyer@customers.test' },
        metadata: { affiliate_attribution: written(claim(link.token)) },
      },
    }
    await sendEvents(test, feed.url, 'POLAR', [order])
    const { sales: found } = await program.graphql('{ sales { nodes { attributedBy affiliate { id } } } }')
    expect(found.nodes).toEqual([{ attributedBy: 'AGENT', affiliate: { id: affiliate.id } }])
  })
})
