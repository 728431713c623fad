import { beforeAll, describe, expect, it, test } from 'vitest'
import { openDatabase } from '../../../src/database/open.ts'
import { deleteOldKeys } from '../../../src/modules/idempotency/sweep.ts'
import { adminToken, createInstance, createTestApp, type TestApp, type TestProgram } from '../../support/app.ts'
import { createPostgresClone, silentLog } from '../../support/database.ts'
import { createAffiliate, createSeller, listed, reportSale } from '../../support/factories.ts'
import { isPostgres, needsPostgres, times } from '../../support/parallel.ts'
import { addMember, setUpOperator, type TestBrowser } from '../../support/people.ts'

let testApp: TestApp
beforeAll(async () => {
  testApp = await createTestApp()
})

type Sent = { status: number; text: string; headers: Headers; isReplay: boolean }

/** Sends a request and returns the answer as it was sent. */
async function send(
  { secret }: { secret: string },
  method: string,
  path: string,
  body: unknown,
  headers: Record<string, string>,
): Promise<Sent> {
  const response = await testApp.app.fetch(
    new Request(`http://localhost:4000${path}`, {
      method,
      headers: { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
  )
  const isReplay = response.headers.get('idempotent-replayed') === 'true'
  return { status: response.status, text: await response.text(), headers: response.headers, isReplay }
}

const keyed = (key: string) => ({ 'Idempotency-Key': key })
const resourceHeaders = ({ headers }: Sent) =>
  ['content-type', 'cache-control'].map((name) => [name, headers.get(name)])

/** Sends a request twice with the same key. The second answer must be the first, and nothing may have happened again. */
async function sendTwice(program: { secret: string }, method: string, path: string, body?: unknown, more = {}) {
  const headers = { ...keyed(crypto.randomUUID()), ...more }
  const first = await send(program, method, path, body, headers)
  const second = await send(program, method, path, body, headers)
  expect(first.isReplay).toBe(false)
  expect(second.isReplay).toBe(true)
  expect({ ...second, isReplay: false, headers: resourceHeaders(second) }).toEqual({
    ...first,
    headers: resourceHeaders(first),
  })
  return { ...first, body: JSON.parse(first.text) }
}

describe('REST', () => {
  it('answers each kind of write byte for byte as before, and does it once', async () => {
    const program = await testApp.createProgram()
    const campaign = await sendTwice(program, 'POST', '/v1/campaigns', {
      name: 'Partners',
      url: 'https://acme.test',
      commission_percent: 10,
      days_before_commissions_are_due: 0,
    })
    expect(campaign.status).toBe(201)
    const { id } = campaign.body
    const affiliate = await sendTwice(program, 'POST', '/v1/affiliates', { email: 'ada@example.com', campaign_id: id })
    const affiliateId = affiliate.body.id
    await sendTwice(program, 'PUT', `/v1/affiliates/${affiliateId}`, { first_name: 'Ada' })
    await sendTwice(program, 'PUT', `/v1/campaigns/${id}`, { name: 'Friends' })
    await sendTwice(program, 'POST', '/v1/affiliate_links', { affiliate_id: affiliateId, token: 'second' })
    await sendTwice(program, 'POST', '/v1/affiliate_coupons', { affiliate_id: affiliateId, token: 'ADA20' })
    const sale = { coupon: 'ADA20', email: 'grace@example.com', amount_cents: 4900 }
    const { body } = await sendTwice(program, 'POST', '/v1/conversions', sale)
    await sendTwice(program, 'POST', '/v1/conversions/refund', { sale_id: body.sale_id ?? body.id, amount_cents: 900 })
    const [commission] = await listed(program, '/commissions')
    await sendTwice(program, 'PUT', `/v1/commissions/${commission.id}`, { amount: 300 })
    const [payout] = await listed(program, '/payouts')
    await sendTwice(program, 'PUT', `/v1/payouts/${payout.id}/pay`)
    await reportSale(program, { coupon: 'ADA20' })
    const [another] = (await listed(program, '/commissions')).filter(({ state }) => state !== 'paid')
    await sendTwice(program, 'DELETE', `/v1/commissions/${another.id}`)

    expect(await listed(program, '/campaigns')).toHaveLength(2)
    expect(await listed(program, '/affiliates')).toHaveLength(1)
    expect((await listed(program, '/affiliates'))[0].links).toHaveLength(2)
    expect(await listed(program, '/sales')).toHaveLength(2)
    const { sales } = await program.graphql('{ sales { nodes { refunds { totalCount } } } }')
    expect(sales.nodes.map(({ refunds }: any) => refunds.totalCount).sort()).toEqual([0, 1])
  })

  it('takes a key in quotes, as the IETF draft writes it, for the same key without', async () => {
    const program = await testApp.createProgram()
    const body = { email: 'ada@example.com' }
    const first = await send(program, 'POST', '/v1/affiliates', body, keyed('"a-\\"b\\""'))
    expect(first.status).toBe(201)
    expect(await send(program, 'POST', '/v1/affiliates', body, keyed('a-"b"'))).toMatchObject({
      isReplay: true,
      text: first.text,
    })
  })

  it.each(['', 'with space', '"open', 'ä', 'x'.repeat(256)])('400 for the key %j', async (key) => {
    const program = await testApp.createProgram()
    const { status, text } = await send(program, 'POST', '/v1/affiliates', { email: 'ada@example.com' }, keyed(key))
    expect(status).toBe(400)
    expect(JSON.parse(text).error).toBe('Idempotency-Key must have 1 to 255 visible ASCII characters.')
    expect(await listed(program, '/affiliates')).toEqual([])
  })

  it('422 for another method, path, query or body with the same key', async () => {
    const program = await testApp.createProgram()
    const affiliate = await createAffiliate(program)
    const path = `/v1/affiliates/${affiliate.id}`
    await send(program, 'PUT', path, { first_name: 'Ada' }, keyed('k'))
    const others = [
      ['PUT', path, { first_name: 'Bea' }],
      ['PUT', `${path}?x=1`, { first_name: 'Ada' }],
      ['POST', '/v1/affiliates', { first_name: 'Ada' }],
    ] as const
    for (const [method, target, body] of others) {
      const { status, text } = await send(program, method, target, body, keyed('k'))
      expect(status).toBe(422)
      expect(JSON.parse(text).error).toContain('was used for another request')
    }
    expect(await listed(program, '/affiliates')).toMatchObject([{ first_name: 'Ada' }])
  })

  it("keeps keys by program: another program's same key is another", async () => {
    const [one, two] = [await testApp.createProgram(), await testApp.createProgram()]
    const body = { email: 'ada@example.com' }
    const first = await send(one, 'POST', '/v1/affiliates', body, keyed('shared'))
    const second = await send(two, 'POST', '/v1/affiliates', body, keyed('shared'))
    expect(second).toMatchObject({ status: 201, isReplay: false })
    expect(JSON.parse(second.text).id).not.toBe(JSON.parse(first.text).id)
  })

  it('does not show the answer to a key that may only read', async () => {
    const program = await testApp.createProgram()
    const body = { email: 'ada@example.com' }
    await send(program, 'POST', '/v1/affiliates', body, keyed('k'))
    const { createApiKey } = await testApp.operator(
      `mutation ($id: ID!) { createApiKey(input: { programId: $id, name: "R", access: READ }) { secret } }`,
      { id: program.id },
    )
    expect((await send(createApiKey, 'POST', '/v1/affiliates', body, keyed('k'))).status).toBe(403)
  })

  it('does not keep an answer without an effect: the key is free', async () => {
    const program = await testApp.createProgram()
    const invalid = await send(program, 'POST', '/v1/affiliates', { email: 'nobody' }, keyed('k'))
    expect(invalid.status).toBe(422)
    const valid = await send(program, 'POST', '/v1/affiliates', { email: 'ada@example.com' }, keyed('k'))
    expect(valid).toMatchObject({ status: 201, isReplay: false })
  })

  it('keeps a refusal that had an effect: an unattributed sale is kept once', async () => {
    const program = await testApp.createProgram()
    const { status } = await sendTwice(program, 'POST', '/v1/conversions', { coupon: 'NOBODY', amount_cents: 100 })
    expect(status).toBe(422)
    const { unattributedSales } = await program.graphql('{ unattributedSales { totalCount } }')
    expect(unattributedSales.totalCount).toBe(1)
  })

  it('ignores the key of a dry run and of a read', async () => {
    const program = await testApp.createProgram()
    const { coupon } = await createSeller(program)
    const sale = { coupon, amount_cents: 4900 }
    for (const dryRun of [true, true])
      expect(await send(program, 'POST', `/v1/conversions?dry_run=${dryRun}`, sale, keyed('k'))).toMatchObject({
        status: 200,
        isReplay: false,
      })
    expect(await send(program, 'GET', '/v1/sales', undefined, keyed('k'))).toMatchObject({ isReplay: false })
    const real = await send(program, 'POST', '/v1/conversions?dry_run=false', sale, keyed('k'))
    expect(real).toMatchObject({ status: 201, isReplay: false })
    expect(await send(program, 'POST', '/v1/conversions?dry_run=false', sale, keyed('k'))).toMatchObject({
      isReplay: true,
      text: real.text,
    })
  })

  it('forgets a key after 24 hours, and deletes it', async () => {
    const program = await testApp.createProgram()
    const link = { affiliate_id: (await createAffiliate(program)).id }
    const create = () => send(program, 'POST', '/v1/affiliate_links', link, keyed('daily'))
    const first = await create()
    testApp.clock.advanceMinutes(24 * 60 - 1)
    expect((await create()).isReplay).toBe(true)
    testApp.clock.advanceMinutes(1)
    const next = await create()
    expect(next).toMatchObject({ status: 201, isReplay: false })
    expect(next.text).not.toBe(first.text)
    expect((await create()).text).toBe(next.text)

    const count = () => testApp.database.db.idempotencyKey.count({ where: { scope: program.id } })
    expect(await count()).toBe(1)
    testApp.clock.advanceMinutes(24 * 60)
    await deleteOldKeys(testApp.database.db, testApp.clock.now)
    expect(await count()).toBe(0)
  })

  it('stores no answer in plain text', async () => {
    const program = await testApp.createProgram()
    await send(program, 'POST', '/v1/affiliates', { email: 'ada@example.com' }, keyed('k'))
    const [{ answer }] = (await testApp.database.db.idempotencyKey.findMany({
      where: { scope: program.id },
    })) as unknown as [{ answer: string }]
    expect(Buffer.from(answer, 'base64').toString('latin1')).not.toContain('ada@example.com')
  })
})

describe('many at once', () => {
  it('does 30 requests that are each sent 10 times at once once each, and answers the others with 409 or the same', async () => {
    const program = await testApp.createProgram()
    const { coupon } = await createSeller(program)
    const one = async (n: number) => {
      const answer = await send(program, 'POST', '/v1/conversions', { coupon, amount_cents: n }, keyed(`sale-${n}`))
      return { n, ...answer }
    }
    const wanted = Array.from({ length: 30 }, (_, n) => n + 1).flatMap((n) => Array<number>(10).fill(n))
    const answers = await Promise.all(wanted.map(one))
    const inProgress = answers.filter(({ status }) => status === 409)
    expect(inProgress.length).toBeGreaterThan(0)
    for (const { headers, text } of inProgress) {
      expect(headers.get('retry-after')).toBe('1')
      expect(JSON.parse(text).error).toContain('still running')
    }
    const done = answers.filter(({ status }) => status !== 409)
    expect(new Set(done.map(({ status }) => status))).toEqual(new Set([201]))
    expect(new Set(done.map(({ n, text }) => `${n} ${text}`)).size).toBe(30)
    const { sales } = await program.graphql('{ sales(first: 100) { totalCount nodes { amountCents } } }')
    expect(sales.totalCount).toBe(30)
    expect(new Set(sales.nodes.map(({ amountCents }: any) => Number(amountCents))).size).toBe(30)
  })
})

describe('people', () => {
  it('have their own keys, in a program and without one, separate from those of its API keys', async () => {
    const program = await testApp.createProgram()
    const olga = await setUpOperator(testApp)
    const [mia, omar] = [
      await addMember(testApp, olga, program.slug, { email: 'mia@example.com', role: 'MANAGER' }),
      await setUpOperator(testApp, 'omar@example.com'),
    ]
    const create = (name: string) =>
      `mutation { createCampaign(input: { name: "${name}", url: "https://acme.test", commissionPercent: 10 }) { campaign { name } } }`
    const named = async (who: TestBrowser, name: string) =>
      (await who.graphql(program.slug, keyed('the-same'))(create(name))).createCampaign.campaign.name
    expect(await named(olga, 'Of Olga')).toBe('Of Olga')
    expect(await named(mia, 'Of Mia')).toBe('Of Mia')
    expect(await named(olga, 'Of Olga')).toBe('Of Olga')
    await expect(named(mia, 'Another')).rejects.toThrow('was used for another request')
    const byKey = await send(program, 'POST', '/graphql', { query: create('Of a key') }, keyed('the-same'))
    expect([byKey.status, byKey.text.includes('Of a key'), byKey.isReplay]).toEqual([200, true, false])
    const names = await testApp.database.db.campaign.findMany({
      where: { programId: program.id },
      select: { name: true },
    })
    expect(names.map(({ name }) => name)).toEqual(expect.arrayContaining(['Of Olga', 'Of Mia', 'Of a key']))

    const makes = async (who: TestBrowser, name: string) =>
      (
        await who.graphql(
          undefined,
          keyed('the-same'),
        )(
          `mutation { createProgram(input: { name: "${name}", url: "https://acme.test", currency: "usd" }) { program { name } } }`,
        )
      ).createProgram.program.name
    expect([await makes(olga, 'By Olga'), await makes(omar, 'By Omar')]).toEqual(['By Olga', 'By Omar'])
  })
})

describe('GraphQL', () => {
  const graphql = (
    program: { secret: string },
    query: string,
    headers: Record<string, string>,
    accept = 'application/json',
  ) => send(program, 'POST', '/graphql', { query }, { Accept: accept, ...headers })

  it('runs a mutation once, and answers byte for byte as before', async () => {
    const program = await testApp.createProgram()
    const query = 'mutation { createAffiliate(input: { email: "ada@example.com" }) { affiliate { id email } } }'
    const { status, body } = await sendTwice(program, 'POST', '/graphql', { query })
    expect(status).toBe(200)
    expect(body.data.createAffiliate.affiliate.email).toBe('ada@example.com')
    expect(await listed(program, '/affiliates')).toHaveLength(1)
  })

  it('keeps the answer to a request of which a field failed after another had an effect, with its errors', async () => {
    const program = await testApp.createProgram()
    const query = `mutation {
      one: createAffiliate(input: { email: "ada@example.com" }) { affiliate { id } }
      two: createAffiliate(input: { email: "nobody" }) { affiliate { id } }
      three: createAffiliate(input: { email: "bea@example.com" }) { affiliate { id } }
    }`
    const { body } = await sendTwice(program, 'POST', '/graphql', { query })
    expect(body.data).toEqual({
      one: { affiliate: expect.anything() },
      two: null,
      three: { affiliate: expect.anything() },
    })
    expect(body.errors).toMatchObject([
      { path: ['two'], locations: [{ line: 3 }], extensions: { code: 'INVALID_INPUT', requestId: expect.any(String) } },
    ])
    expect(await listed(program, '/affiliates')).toHaveLength(2)
  })

  it('frees the key of a request of which nothing succeeded', async () => {
    const program = await testApp.createProgram()
    const create = (email: string) =>
      graphql(program, `mutation { createAffiliate(input: { email: "${email}" }) { affiliate { id } } }`, keyed('k'))
    expect((await create('nobody')).text).toContain('INVALID_INPUT')
    expect(JSON.parse((await create('ada@example.com')).text).errors).toBeUndefined()
  })

  it.each(['application/json', 'application/graphql-response+json'])(
    '422 for another request, to %s',
    async (accept) => {
      const program = await testApp.createProgram()
      const create = (email: string) =>
        graphql(
          program,
          `mutation { createAffiliate(input: { email: "${email}" }) { affiliate { id } } }`,
          keyed('k'),
          accept,
        )
      await create('ada@example.com')
      const { status, text } = await create('bea@example.com')
      expect(status).toBe(422)
      expect(JSON.parse(text).errors).toMatchObject([
        { extensions: { code: 'IDEMPOTENCY_KEY_REUSED', retryable: false } },
      ])
    },
  )

  it('409 with Retry-After while the first request runs', async () => {
    const program = await testApp.createProgram()
    const refused = []
    let rounds = 0
    // Requests that wait for a turn meanwhile may begin after the first one has ended.
    for (; rounds < 20 && refused.length === 0; rounds += 1) {
      const query = `mutation { createAffiliate(input: { email: "ada${rounds}@example.com" }) { affiliate { id } } }`
      const sent = Array.from({ length: 5 }, () => graphql(program, query, keyed(`k${rounds}`)))
      refused.push(...(await Promise.all(sent)).filter(({ status }) => status === 409))
    }
    expect(refused.length).toBeGreaterThan(0)
    for (const { headers, text } of refused) {
      expect(headers.get('retry-after')).toBe('1')
      expect(JSON.parse(text).errors).toMatchObject([{ extensions: { code: 'REQUEST_IN_PROGRESS', retryable: true } }])
    }
    expect(await listed(program, '/affiliates')).toHaveLength(rounds)
  })

  it('runs an operation on no program once: a program is made once, and deleted once', async () => {
    const operator = { secret: adminToken }
    const create =
      'mutation { createProgram(input: { name: "Once", url: "https://o.test", currency: "usd" }) { program { id slug } } }'
    const { body } = await sendTwice(operator, 'POST', '/graphql', { query: create })
    const { id, slug } = body.data.createProgram.program
    const program = await testApp.createProgram()
    await send(program, 'POST', '/v1/affiliates', { email: 'ada@example.com' }, keyed('k'))
    const remove = `mutation { deleteProgram(input: { id: "${id}", confirmSlug: "${slug}" }) { deletedId: __typename } }`
    const removed = await sendTwice(operator, 'POST', '/graphql', { query: remove })
    expect(removed.body.errors).toBeUndefined()
  })

  it('imports many affiliates once, also in several transactions', async () => {
    const program = await testApp.createProgram()
    const csv = ['email', ...Array.from({ length: 250 }, (_, n) => `a${n}@example.com`)].join('\n')
    const query = `mutation ($csv: String!) { importAffiliates(input: { csv: $csv }) { __typename } }`
    const { body } = await sendTwice(program, 'POST', '/graphql', { query, variables: { csv } })
    expect(body.errors).toBeUndefined()
    const { affiliates } = await program.graphql('{ affiliates { totalCount } }')
    expect(affiliates.totalCount).toBe(250)
  })

  it('records visits, leads and sales once', async () => {
    const program: TestProgram = await testApp.createProgram()
    const { link } = await createSeller(program)
    const visit = `mutation { recordVisit(input: { token: "${link.token}" }) { referral { id } } }`
    const { id } = (await sendTwice(program, 'POST', '/graphql', { query: visit })).body.data.recordVisit.referral
    const lead = `mutation { recordLead(input: { referralId: "${id}", email: "g@example.com" }) { referral { conversionState } } }`
    await sendTwice(program, 'POST', '/graphql', { query: lead })
    const sale = `mutation { reportConversion(input: { referralId: "${id}", amountCents: 100 }) { duplicate sale { id } commission { state } } }`
    expect((await sendTwice(program, 'POST', '/graphql', { query: sale })).body.errors).toBeUndefined()
    expect(await listed(program, '/sales')).toHaveLength(1)
    const { referrals } = await program.graphql('{ referrals { totalCount } }')
    expect(referrals.totalCount).toBe(1)
  })
})

test('a request without a key stores nothing', async () => {
  const program = await testApp.createProgram()
  await createAffiliate(program)
  expect(await testApp.database.db.idempotencyKey.count({ where: { scope: program.id } })).toBe(0)
})

describe.skipIf(!isPostgres)('two instances on one database', async () => {
  if (!isPostgres) return it(needsPostgres, () => {})
  const { url, drop } = await createPostgresClone()
  const options = { databaseUrl: url, dataDir: '/nowhere', log: silentLog }
  const [here, there] = [await openDatabase(options), await openDatabase(options)]
  const closeAll = async () => {
    await here.close()
    await there.close()
    await drop()
  }
  const { app, clock, createProgram } = await createTestApp({ database: { ...here, drop: closeAll } })
  const key = Buffer.alloc(32, 7)
  const webhooks = { key, allowedHosts: [], allowHttp: true, isIdle: true }
  const now = () => clock.now
  const settings = { adminToken, publicUrl: () => 'http://localhost:4001', log: silentLog, webhooks, now }
  const other = createInstance({ database: there, ...settings })

  it('run a request once that both get at once', async () => {
    const program = await createProgram()
    const create = async ({ fetch }: Pick<typeof other, 'fetch'>, n: number) => {
      const response = await fetch(
        new Request('http://localhost:4000/v1/affiliates', {
          method: 'POST',
          headers: {
            Authorization: `Bearer ${program.secret}`,
            'Content-Type': 'application/json',
            ...keyed(`both-${n}`),
          },
          body: JSON.stringify({ email: `ada-${n}@example.com` }),
        }),
      )
      return { status: response.status, text: await response.text() }
    }
    for (let round = 0; round < 10; round += 1) {
      const answers = await times(20, (index) => create(index % 2 ? app : other, round))
      const done = answers.filter(({ status }) => status !== 409)
      expect(new Set(done.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
      expect(done[0]?.status).toBe(201)
    }
    expect(await listed(program, '/affiliates')).toHaveLength(10)
  })
})
