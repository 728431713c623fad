import { describe, expect, it } from 'vitest'
import { deleteOldVisits } from '../../../src/modules/tracking/retention.ts'
import { createTestApp, type TestProgram } from '../../support/app.ts'
import { createAffiliate, createCampaign, createCoupon, made, unknownId } from '../../support/factories.ts'
import { findText } from '../../support/find-text.ts'
import { createPage, roomy } from '../../support/tracking.ts'

const app = await createTestApp({ tracking: roomy })
const { db } = app.database

const erase = (program: Pick<TestProgram, 'graphql'>, email: string) =>
  program.graphql(
    'mutation ($input: ErasePersonInput!) { erasePerson(input: $input) { erasedCustomerId erasedAffiliateId unattributedSales } }',
    { input: { email } },
  )
const readExport = async (program: TestProgram, email: string) => {
  const fields = 'email customerId affiliateId json'
  const { exportPerson } = await program.graphql(
    `query ($email: EmailAddress!) { exportPerson(email: $email) { ${fields} } }`,
    { email },
  )
  return { ...exportPerson, json: JSON.parse(exportPerson.json) }
}
/** The paths of all keys of a JSON value. */
const keysIn = (value: unknown): string[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, inner]) => [key, ...keysIn(inner).map((path) => `${key}.${path}`)])
    : []
const failure = (run: Promise<unknown>) =>
  run.then(
    () => expect.unreachable('it was not refused'),
    (error) => error.errors[0],
  )

const numbersOf = (program: TestProgram) =>
  program.graphql(`{
    sales { totalCount aggregate { sum { amount { amountCents } } } } commissions { totalCount aggregate { sum { amount { amountCents } } } }
    payouts { totalCount aggregate { sum { amount { amountCents } } } } referrals { totalCount }
    affiliates { totalCount nodes { visitors leads conversions } } }`)

/** A program with the affiliate Ada Lovelace and her customer Grace Hopper, and all that is stored of both. */
/** Pays all that is open: else an erasure has to say what happens to it. */
async function payAll(program: TestProgram) {
  app.clock.advanceDays(31)
  for (const { id } of (await program.get('/payouts?state=pending')).body.data) await program.post(`/payouts/${id}/pay`)
}

async function createFilledProgram() {
  const program = await app.createProgram()
  const campaign = await createCampaign(program, { days_before_commissions_are_due: 0 })
  const affiliate = await createAffiliate(program, {
    ...{ email: 'Ada@example.com', first_name: 'Ada', last_name: 'Lovelace', paypal_email: 'ada-pay@example.com' },
    campaign_id: campaign.id,
  })
  await made(program.put(`/affiliates/${affiliate.id}`, { billing_customer_id: 'billing-ada', last_name: 'Byron' }))
  await createCoupon(program, affiliate.id, 'LOVELACE20')
  const url = 'https://acme.test/hopper'
  const referral = (await createPage(app.app, program).visit(affiliate.links[0].token, { url, referrer: url })).body
  const grace = { email: 'Grace@example.com', customer_name: 'Grace Hopper', amount_cents: 10_000 }
  // Nobody referred her yet, so this sale is not attributed.
  await program.post('/conversions', { ...grace, external_id: 's0' })
  const first = { ...grace, external_id: 's1', referral_id: referral.referral_id, billing_customer_id: 'billing-grace' }
  await made(program.post('/conversions', first))
  await made(program.post('/conversions', { ...grace, external_id: 's2' }))
  await app.app.flush()
  await made(program.get('/payouts'))
  return { program, affiliateId: affiliate.id as string }
}

describe('erasePerson', () => {
  it('leaves no text of a customer in any table, and every sum as it was', async () => {
    const { program } = await createFilledProgram()
    const other = await createFilledProgram()
    const texts = ['grace', 'hopper']
    for (const text of texts) expect((await findText(db, text, program.id)).length).toBeGreaterThan(2)
    const before = await numbersOf(program)

    const { erasePerson } = await erase(program, 'GRACE@example.com')
    expect(erasePerson).toEqual({
      erasedCustomerId: expect.any(String),
      erasedAffiliateId: null,
      unattributedSales: 1,
    })
    for (const text of texts) expect([text, await findText(db, text, program.id)]).toEqual([text, []])
    expect(await numbersOf(program)).toEqual(before)
    expect((await findText(db, 'hopper', other.program.id)).length).toBeGreaterThan(2)

    const id = erasePerson.erasedCustomerId
    const read = await program.graphql(
      'query ($id: ID!) { customer(id: $id) { email name } history(subject: CUSTOMER, id: $id) { nodes { action changes { field } } } }',
      { id },
    )
    expect(read).toEqual({
      customer: { email: `erased-${id}@erased.invalid`, name: null },
      history: { nodes: [{ action: 'ERASED', changes: [] }] },
    })
    expect((await failure(erase(program, 'grace@example.com'))).extensions.code).toBe('NOT_FOUND')
  })

  it('leaves no text of an affiliate, disables them, and keeps the ledger', async () => {
    const { program, affiliateId } = await createFilledProgram()
    await payAll(program)
    const texts = ['ada@', 'lovelace', 'byron', 'ada-pay', 'billing-ada']
    const before = await numbersOf(program)

    const { erasePerson } = await erase(program, 'ada@example.com')
    expect(erasePerson).toEqual({ erasedCustomerId: null, erasedAffiliateId: affiliateId, unattributedSales: 0 })
    for (const text of texts) expect([text, await findText(db, text, program.id)]).toEqual([text, []])
    expect(await numbersOf(program)).toEqual(before)
    const { body } = await program.get(`/affiliates/${affiliateId}`)
    expect(body).toMatchObject({ email: `erased-${affiliateId}@erased.invalid`, first_name: null, state: 'disabled' })

    const read = await program.graphql(
      `query ($id: ID!) {
        affiliate(id: $id) { history { nodes { action } } }
        events(first: 1, where: { type: { equals: "affiliate.updated" } }) { nodes { type subjectId } } }`,
      { id: affiliateId },
    )
    expect(read.affiliate.history.nodes[0]).toEqual({ action: 'ERASED' })
    const links = await db.affiliateLink.findMany({ where: { affiliateId } })
    expect(links.map(({ archivedAt }) => archivedAt)).toEqual([app.clock.now])
    expect(read.events.nodes).toEqual([{ type: 'affiliate.updated', subjectId: affiliateId }])
    // History is append-only again, also on the connection that erased the person.
    await expect(db.$executeRaw`update changes set at = now()`).rejects.toThrow('cannot be changed or removed')
  })

  const keptAnswers: [string, string, object, string][] = [
    ['an affiliate in REST', '/v1/affiliates', { email: 'Kept@example.com', first_name: 'Konrad' }, 'kept@example.com'],
    [
      'a payout address in GraphQL',
      '/graphql',
      {
        query:
          'mutation { createAffiliate(input: { email: "kept@example.com", paypalEmail: "Wallet@example.com" }) { affiliate { paypalEmail } } }',
      },
      'wallet@example.com',
    ],
    [
      'a name in GraphQL',
      '/graphql',
      {
        query:
          'mutation { createAffiliate(input: { email: "kept@example.com", firstName: "Konrad" }) { affiliate { firstName } } }',
      },
      'konrad',
    ],
    [
      'a customer in GraphQL',
      '/graphql',
      {
        query:
          'mutation { reportConversion(input: { coupon: "KEPT20", email: "kept@example.com", customerName: "Konrad K", amountCents: 100 }) { sale { customerName } } }',
      },
      'konrad k',
    ],
  ]
  it.each(keptAnswers)('deletes the kept answer with %s, and the request is not carried out again', async (...kept) => {
    const [, path, body, text] = kept
    const program = await app.createProgram()
    await createCoupon(program, (await createAffiliate(program)).id, 'KEPT20')
    const send = async (key: string, content: object = body) => {
      const response = await app.app.fetch(
        new Request(`http://localhost:4000${path}`, {
          method: 'POST',
          headers: {
            ...{
              Authorization: `Bearer ${program.secret}`,
              'Content-Type': 'application/json',
              'Idempotency-Key': key,
            },
          },
          body: JSON.stringify(content),
        }),
      )
      return { status: response.status, text: (await response.text()).toLowerCase() }
    }
    expect((await send('once')).text).toContain(text)
    expect((await send('once')).text).toContain(text)
    const other = {
      query:
        'mutation { createCampaign(input: { name: "Other", url: "https://acme.test", commissionPercent: 10 }) { campaign { name } } }',
    }
    const unrelated = path === '/graphql' ? await send('other', other) : null
    await erase(program, 'kept@example.com')
    const again = await send('once')
    expect(again.text).not.toContain(text)
    expect(again.text).toContain('cannot be read any more')
    if (unrelated) expect(await send('other', other)).toEqual(unrelated)
    expect(await db.affiliate.count({ where: { programId: program.id } })).toBeLessThan(3)
    expect(await db.sale.count({ where: { programId: program.id } })).toBeLessThan(2)
  })

  it('answers as before what is read of events', async () => {
    const { program } = await createFilledProgram()
    await payAll(program)
    const read = async () => {
      return (await program.get('/events?limit=100')).body.data.reverse() as {
        id: string
        type: string
        data: object
      }[]
    }
    const before = await read()
    await erase(program, 'grace@example.com')
    await erase(program, 'ada@example.com')
    const after = (await read()).slice(0, before.length)
    expect(after.map(({ id, type }) => ({ id, type }))).toEqual(before.map(({ id, type }) => ({ id, type })))
    expect(after.map(keysIn)).toEqual(before.map(keysIn))
  })

  it('rejects an unknown address, and a malformed one', async () => {
    const program = await app.createProgram()
    await createAffiliate(await app.createProgram(), { email: 'elsewhere@example.com' })
    for (const email of ['nobody@example.com', 'elsewhere@example.com'])
      expect(await failure(erase(program, email))).toMatchObject({ extensions: { code: 'NOT_FOUND' } })
    for (const email of [unknownId, 'a\u0000b@example.com']) {
      expect((await failure(erase(program, email))).message).toContain('valid e-mail')
      expect((await failure(readExport(program, email))).message).toContain('valid e-mail')
    }
  })
})

it('exportPerson has every record of the person', async () => {
  const { program, affiliateId } = await createFilledProgram()
  const customer = await readExport(program, 'grace@EXAMPLE.com')
  expect(customer).toMatchObject({
    ...{ email: 'grace@EXAMPLE.com', customerId: expect.any(String), affiliateId: null },
    json: {
      customer: [{ email: 'Grace@example.com', name: 'Grace Hopper' }],
      referrals: [{ affiliate_id: affiliateId, billing_customer_id: 'billing-grace' }],
      visits: [{ url: 'https://acme.test/hopper' }],
      sales: [{ external_id: 's2' }, { external_id: 's1', amount_cents: 10_000 }],
      unattributed_sales: [{ external_id: 's0' }],
      affiliate: [],
      commissions: [],
    },
  })
  const affiliate = await readExport(program, 'ada@example.com')
  expect(affiliate).toMatchObject({
    ...{ customerId: null, affiliateId },
    json: {
      affiliate: [{ first_name: 'Ada', last_name: 'Byron' }],
      affiliate_links: [{ affiliate_id: affiliateId }],
      affiliate_coupons: [{ token: 'LOVELACE20' }],
      history: expect.arrayContaining([expect.objectContaining({ action: 'created' })]),
      sales: [],
    },
  })
  expect(affiliate.json.commissions).toHaveLength(2)
  expect(JSON.stringify(affiliate)).not.toContain('hopper')
})

it('a person whom an unfinished import names is not erased, because the import would create them again', async () => {
  const { program } = await createFilledProgram()
  await payAll(program)
  const unfinished = { input: { csv: 'email\nADA@example.com' }, actorKind: 'operator', requestId: 'r' } as const
  const row = { programId: program.id, id: unknownId, acceptedAt: app.clock.now, ...unfinished }
  await db.acceptedImport.create({ data: row })
  expect(await failure(erase(program, 'ada@EXAMPLE.com'))).toMatchObject({ extensions: { code: 'REFUSED' } })
  await erase(program, 'grace@example.com')
  await db.acceptedImport.deleteMany({ where: { programId: program.id } })
  await erase(program, 'ada@example.com')
  expect(await findText(db, 'ada@example.com', program.id)).toEqual([])
})

it('deleteOldVisits deletes visits of a certain age, and no referral', async () => {
  const { program } = await createFilledProgram()
  const count = () => db.visit.count({ where: { programId: program.id } })
  const before = await numbersOf(program)
  const daysLater = (days: number) => new Date(app.clock.now.getTime() + days * 86_400_000)
  await deleteOldVisits(db, daysLater(29), 30)
  expect(await count()).toBe(1)
  await deleteOldVisits(db, daysLater(31), 30)
  expect(await count()).toBe(0)
  expect(await numbersOf(program)).toEqual(before)
})
