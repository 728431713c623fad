import { beforeEach, describe, expect, it } from 'vitest'
import { createTestApp, type TestProgram } from '../support/app.ts'
import { createAffiliate, createSeller, reportSale, unknownId } from '../support/factories.ts'

const app = await createTestApp()
let program: TestProgram
beforeEach(async () => {
  program = await app.createProgram()
})

/** Creates affiliates a minute apart, so that their order is known: a@, b@, c@, … */
async function createAffiliates(count: number) {
  for (const letter of 'abcdefghij'.slice(0, count)) {
    app.clock.advanceMinutes(1)
    await createAffiliate(program, { email: `${letter}@example.com`, first_name: letter.toUpperCase() })
  }
}

const emails = (connection: { nodes: { email: string }[] }) => connection.nodes.map(({ email }) => email[0]).join('')

const read = async (
  args: string,
  fields = 'nodes { email } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }',
) => (await program.graphql(`{ affiliates${args && `(${args})`} { ${fields} } }`)).affiliates

describe('pages', () => {
  it('are newest first, and cursors lead to the end and back', async () => {
    await createAffiliates(5)
    const first = await read('first: 2')
    expect([emails(first), first.pageInfo.hasNextPage, first.pageInfo.hasPreviousPage]).toEqual(['ed', true, false])
    const second = await read(`first: 2, after: "${first.pageInfo.endCursor}"`)
    expect([emails(second), second.pageInfo.hasNextPage, second.pageInfo.hasPreviousPage]).toEqual(['cb', true, true])
    const third = await read(`first: 2, after: "${second.pageInfo.endCursor}"`)
    expect([emails(third), third.pageInfo.hasNextPage]).toEqual(['a', false])
    const back = await read(`last: 2, before: "${third.pageInfo.startCursor}"`)
    expect([emails(back), back.pageInfo.hasPreviousPage, back.pageInfo.hasNextPage]).toEqual(['cb', true, true])
    expect(emails(await read('last: 2'))).toBe('ba')
    expect(emails(await read(`after: "${first.pageInfo.endCursor}", before: "${third.pageInfo.startCursor}"`))).toBe(
      'cb',
    )
    expect(emails(await read('first: 0'))).toBe('')
  })

  it.each([
    ['EMAIL, direction: ASC', 'abcde'],
    ['EMAIL', 'edcba'],
    ['CREATED_AT, direction: ASC', 'abcde'],
    ['UPDATED_AT', 'bedca'],
  ])('sorted by %s hold every row once', async (order, expected) => {
    await createAffiliates(5)
    const { affiliates } = await program.graphql(
      '{ affiliates(where: { email: { equals: "B@example.com" } }) { nodes { id } } }',
    )
    app.clock.advanceMinutes(1)
    await program.put(`/affiliates/${affiliates.nodes[0].id}`, { first_name: 'Changed' })
    let after = ''
    let all = ''
    for (let page = 0; page < 9; page += 1) {
      const { pageInfo, ...rows } = await read(`first: 2, orderBy: { field: ${order} }${after}`)
      all += emails(rows as never)
      if (!pageInfo.hasNextPage) break
      after = `, after: "${pageInfo.endCursor}"`
    }
    expect(all).toBe(expected)
  })

  it('are sorted by the second field if the first is equal', async () => {
    const { coupon } = await createSeller(program)
    for (const amount of [500, 900, 500, 900, 500]) {
      app.clock.advanceMinutes(1)
      await reportSale(program, {
        coupon,
        amount_cents: amount,
        external_id: `${amount}-${app.clock.now.getMinutes()}`,
      })
    }
    const order = '[{ field: AMOUNT, direction: ASC }, { field: OCCURRED_AT, direction: DESC }]'
    const seen: string[] = []
    let after = ''
    for (let page = 0; page < 9; page += 1) {
      const { sales } = await program.graphql(
        `{ sales(first: 2, orderBy: ${order}${after}) { nodes { externalId } pageInfo { hasNextPage endCursor } } }`,
      )
      seen.push(...sales.nodes.map(({ externalId }: { externalId: string }) => externalId))
      if (!sales.pageInfo.hasNextPage) break
      after = `, after: "${sales.pageInfo.endCursor}"`
    }
    const [low, high] = [seen.slice(0, 3), seen.slice(3)]
    expect(low.every((id) => id.startsWith('500')) && high.every((id) => id.startsWith('900'))).toBe(true)
    expect([low, high]).toEqual([[...low].sort().reverse(), [...high].sort().reverse()])
    expect(new Set(seen).size).toBe(5)
  })

  it('continue after a cursor whose row is no longer in the list', async () => {
    await createAffiliates(3)
    const { pageInfo } = await read('first: 1, where: { state: { equals: ACTIVE } }')
    const { affiliates } = await program.graphql('{ affiliates(first: 1) { nodes { id } } }')
    await program.put(`/affiliates/${affiliates.nodes[0].id}`, { state: 'disabled' })
    expect(emails(await read(`first: 5, where: { state: { equals: ACTIVE } }, after: "${pageInfo.endCursor}"`))).toBe(
      'ba',
    )
  })

  it.each([
    [
      'first: 101',
      'first',
      'first must be a whole number from 0 to 100. Read more rows page by page with after, or all rows at once from GET /v1/exports/affiliates.',
    ],
    ['last: -1', 'last', 'last must be a whole number from 0 to 100.'],
    ['first: 1, last: 1', 'last', 'last cannot be combined with first.'],
    ['after: "nonsense"', 'after', 'after is not a cursor of this API. Use one from pageInfo or an edge.'],
    [
      'after: "WyJpZCBkZXNjIiwidHgiXQ"',
      'after',
      'after is not a cursor of this API. Use one from pageInfo or an edge.',
    ],
  ])('reject %s', async (args, field, message) => {
    await expect(read(args)).rejects.toMatchObject({
      errors: [{ message, extensions: { code: 'INVALID_INPUT', problems: [{ field, message }] } }],
    })
  })

  it.each([
    ['affiliates', 200],
    ['referrals', 200],
    ['sales', 200],
    ['commissions', 200],
    ['payouts', 200],
    ['customers', null],
  ])('of 500 %s are rejected, with the address of their export if there is one', async (list, status) => {
    const refused = program.graphql(`{ ${list}(first: 500) { nodes { id } } }`)
    const message: string = await refused.catch(({ errors }) => errors[0].message)
    const [, path] = /GET \/v1(\/exports\/\w+)\.$/.exec(message) ?? []
    expect(message).toContain('page by page with after')
    expect(path ? (await program.send(path, {})).status : null).toBe(status)
  })

  it.each(['d0000-01-01T00:00:00.000Z', 'd2026-99-01T00:00:00.000Z', 'n1'])(
    'reject a forged cursor with the value %s',
    async (value) => {
      const forged = Buffer.from(JSON.stringify(['updatedAt desc,id desc', value, `t${unknownId}`])).toString(
        'base64url',
      )
      const answer = read(`after: "${forged}", orderBy: { field: UPDATED_AT }`)
      await expect(answer).rejects.toMatchObject({ errors: [{ extensions: { code: 'INVALID_INPUT' } }] })
    },
  )

  it('of a nested list return cursors even if nothing else is selected', async () => {
    const { coupon } = await createSeller(program)
    for (const amount of [500, 900]) await reportSale(program, { coupon, amount_cents: amount })
    const sales = async (more: string, fields: string) =>
      (await program.graphql(`{ affiliates { nodes { sales(orderBy: { field: AMOUNT }${more}) { ${fields} } } } }`))
        .affiliates.nodes[0].sales
    const { pageInfo } = await sales(', first: 1', 'pageInfo { endCursor hasNextPage }')
    expect(pageInfo.hasNextPage).toBe(true)
    const { edges } = await sales('', 'edges { cursor }')
    expect(edges[0].cursor).toBe(pageInfo.endCursor)
    expect((await sales(`, after: "${edges[0].cursor}"`, 'nodes { amountCents }')).nodes).toEqual([
      { amountCents: 500 },
    ])
    expect((await sales('', 'nodes { __typename }')).nodes).toHaveLength(2)
  })

  it('reject a cursor of a different order', async () => {
    await createAffiliates(2)
    const { pageInfo } = await read('first: 1')
    await expect(read(`after: "${pageInfo.endCursor}", orderBy: { field: EMAIL }`)).rejects.toThrow(
      'after is a cursor of a different orderBy. Start again from the first page.',
    )
  })

  it('never contain rows of another program, with or without a cursor', async () => {
    await createAffiliates(3)
    const { pageInfo } = await read('first: 1')
    const other = await app.createProgram()
    const { affiliates } = await other.graphql(
      `{ affiliates(after: "${pageInfo.endCursor}", where: { campaign: { name: { not: "x" } } }) { totalCount nodes { id } aggregate { count } } }`,
    )
    expect(affiliates).toEqual({ totalCount: 0, nodes: [], aggregate: { count: 0 } })
  })
})

describe('totals', () => {
  it('count and sum the rows of all pages, in one currency', async () => {
    const { coupon } = await createSeller(program)
    for (const amount of [1000, 1001, 4000]) await reportSale(program, { coupon, amount_cents: amount })
    await reportSale(program, { coupon, amount_cents: 7000, currency: 'eur' })
    const money = '{ amount { amountCents currency formatted } refunded { amountCents } }'
    const { sales } = await program.graphql(`{
      sales(first: 1) {
        totalCount
        aggregate { count currency sum ${money} avg ${money} min ${money} max ${money} firstCreatedAt }
        euros: aggregate(currency: "EUR") { count sum { amount { formatted } } }
        none: aggregate(currency: "jpy") { count sum { amount { formatted } } avg { amount { formatted } } }
      }
    }`)
    const usd = (amountCents: number) => ({
      amount: { amountCents, currency: 'usd', formatted: `${(amountCents / 100).toFixed(2)} USD` },
      refunded: { amountCents: 0 },
    })
    expect(sales).toEqual({
      totalCount: 4,
      aggregate: {
        count: 4,
        currency: 'usd',
        sum: usd(6001),
        avg: usd(2000),
        min: usd(1000),
        max: usd(4000),
        firstCreatedAt: app.clock.now.toISOString(),
      },
      euros: { count: 1, sum: { amount: { formatted: '70.00 EUR' } } },
      none: { count: 0, sum: { amount: { formatted: '0 JPY' } }, avg: { amount: null } },
    })
  })

  it('group the rows of each owner separately', async () => {
    const [one, two] = [await createSeller(program), await createSeller(program)]
    for (const amount of [1000, 2000]) await reportSale(program, { coupon: one.coupon, amount_cents: amount })
    await reportSale(program, { coupon: two.coupon, amount_cents: 500 })
    const { affiliates } = await program.graphql(`{
      affiliates(first: 5, orderBy: { field: CREATED_AT, direction: ASC }) {
        nodes {
          sales {
            totalCount
            aggregate { sum { amount { amountCents } } }
            groupBy(by: [CAMPAIGN_ID, ATTRIBUTED_BY]) {
              campaignId campaign { id name } attributedBy currency count affiliateId affiliate { id }
            }
          }
          commissions { groupBy(by: [STATE]) { state count sum { amount { amountCents } } } }
        }
      }
    }`)
    const expected = (seller: typeof one, count: number, sum: number) => ({
      sales: {
        totalCount: count,
        aggregate: { sum: { amount: { amountCents: sum } } },
        groupBy: [
          {
            campaignId: seller.campaign.id,
            campaign: { id: seller.campaign.id, name: expect.any(String) },
            attributedBy: 'COUPON',
            currency: 'usd',
            count,
            affiliateId: null,
            affiliate: null,
          },
        ],
      },
      commissions: { groupBy: [{ state: 'PENDING', count, sum: { amount: { amountCents: sum / 10 } } }] },
    })
    expect(affiliates.nodes).toEqual([expected(one, 2, 3000), expected(two, 1, 500)])
  })

  it('sum counts, which have no currency', async () => {
    await createAffiliates(2)
    const { affiliates } = await program.graphql(
      '{ affiliates { aggregate { count sum { visitors } avg { visitors } max { conversions } } groupBy(by: STATE) { state count } } }',
    )
    expect(affiliates).toEqual({
      aggregate: { count: 2, sum: { visitors: 0 }, avg: { visitors: 0 }, max: { conversions: 0 } },
      groupBy: [{ state: 'ACTIVE', count: 2 }],
    })
  })
})

describe('payouts', () => {
  it.each([
    '{ affiliate(id: $id) { payouts { nodes { amountCents } } } }',
    '{ program { affiliates { nodes { payouts { nodes { amountCents } } } } } }',
    '{ commissions { nodes { payout { amountCents } } } }',
    '{ ...All } fragment All on Query { payouts { nodes { amountCents } } }',
    '{ payoutPreview { nodes { currency } } payouts { nodes { amountCents } } }',
  ])('contain all due commissions in: %s', async (query) => {
    const { affiliate, coupon } = await createSeller(program, { days_before_commissions_are_due: 1 })
    await reportSale(program, { coupon, amount_cents: 1000 })
    const answer = async () => JSON.stringify(await program.graphql(query.replace('$id', `"${affiliate.id}"`)))
    expect(await answer()).not.toContain('"amountCents":100')
    app.clock.advanceDays(2)
    expect(await answer()).toContain('"amountCents":100')
  })
})

describe('node', () => {
  it('reads any record by its id alone', async () => {
    const { affiliate, campaign, coupon } = await createSeller(program)
    const { sale_id } = await reportSale(program, { coupon, amount_cents: 1000 })
    const query = `query ($id: ID!) {
      node(id: $id) { id __typename ... on Affiliate { campaign { id } } ... on Sale { amountCents commissions { totalCount nodes { amountCents } } } }
    }`
    expect((await program.graphql(query, { id: affiliate.id })).node).toEqual({
      id: affiliate.id,
      __typename: 'Affiliate',
      campaign: { id: campaign.id },
    })
    expect((await program.graphql(query, { id: sale_id })).node).toEqual({
      id: sale_id,
      __typename: 'Sale',
      amountCents: 1000,
      commissions: { totalCount: 1, nodes: [{ amountCents: 100 }] },
    })
    expect((await program.graphql(query, { id: campaign.id })).node.__typename).toBe('Campaign')
  })

  it('finds nothing of another program', async () => {
    const { affiliate } = await createSeller(program)
    const other = await app.createProgram()
    expect(await other.graphql(`{ node(id: "${affiliate.id}") { id } }`)).toEqual({ node: null })
  })
})

it('returns fields in the order of the query, whichever is resolved first', async () => {
  const { affiliates, program: own } = await program.graphql(
    '{ affiliates { totalCount pageInfo { hasNextPage } nodes { id } aggregate { count } } program { slug id } }',
  )
  expect(Object.keys(affiliates)).toEqual(['totalCount', 'pageInfo', 'nodes', 'aggregate'])
  expect(Object.keys(own)).toEqual(['slug', 'id'])
})
