import { beforeAll, describe, expect, it } from 'vitest'
import { adminToken, createInstance, createTestApp, type TestApp, type TestProgram } from '../support/app.ts'
import { silentLog } from '../support/database.ts'
import { recordLead, recordVisit } from '../support/factories.ts'
import { accept, createInvoices, ownClient, setUpInvoices, sign } from '../support/invoices.ts'
import { anotherKey, runsOf } from '../support/payout-runs.ts'
import { contract, type Operation, superset } from './openapi-contract.ts'

const unknownId = '019b8d62-7a80-7a31-8c52-3f0b9d6e1a47'

/**
 * Calls every route with every outcome. Every response has to be documented in the profile's document, and every documented
 * response has to occur.
 */
export function describeResponses(profile: 'contract' | 'superset'): void {
  const { expectDocumented, findOperation, operations } = { contract, superset }[profile]
  const seen = new Set<string>()
  let test: TestApp
  let program: TestProgram

  beforeAll(async () => {
    test = await createTestApp({ startsAt: '2026-02-01T12:00:00.000Z', requestsPer30Seconds: 100_000 })
    program = await test.createProgram()
    await test.operator('mutation ($input: UpdateApiKeyInput!) { updateApiKey(input: $input) { apiKey { id } } }', {
      input: { id: program.keyId, profile: profile.toUpperCase() },
    })
  })

  type Call = {
    id?: string
    query?: string
    body?: object
    form?: boolean
    raw?: string
    headers?: Record<string, string>
  }

  async function call(operationId: string, { id = unknownId, query, headers, ...given }: Call = {}, app = test.app) {
    const operation = findOperation(operationId)
    const url = `http://localhost:4000/v1${operation.path.replace('{id}', id)}${query ? `?${query}` : ''}`
    const { body, type } = bodyOf(given)
    const request = new Request(url, {
      method: operation.method,
      headers: { Authorization: `Bearer ${program.secret}`, ...(type && { 'Content-Type': type }), ...headers },
      ...(body && { body }),
    })
    const response = await app.fetch(request)
    seen.add(`${operationId} ${response.status}`)
    return { status: response.status, headers: response.headers, body: await expectDocumented(operation, response) }
  }

  function bodyOf({ body, form, raw }: Call): { body?: string | undefined; type?: string } {
    if (!body) return { body: raw }
    if (!form) return { body: JSON.stringify(body), type: 'application/json' }
    return { body: `${new URLSearchParams(body as Record<string, string>)}`, type: 'application/x-www-form-urlencoded' }
  }

  const exampleOf = (operationId: string): Record<string, unknown> =>
    findOperation(operationId).operation.requestBody.content['application/json'].example

  const visit = async (token: string) => (await recordVisit(program, token)).id

  const becomeLead = (referralId: string, email: string) => recordLead(program, referralId, email)

  describe('the example requests of the document return its example responses', () => {
    const ids: Record<string, string> = {}

    it('for a campaign, an affiliate, a link and a coupon', async () => {
      const campaign = await call('createCampaign', { body: exampleOf('createCampaign') })
      expect(campaign.status).toBe(201)
      ids.campaign = campaign.body.id
      await call('updateCampaign', { id: ids.campaign, body: { name: 'Friends', max_commissions: '5' }, form: true })
      expect((await call('readCampaign', { id: ids.campaign })).body).toMatchObject({
        name: 'Friends',
        max_commissions: 5,
      })

      const example = exampleOf('createAffiliate')
      const affiliate = await call('createAffiliate', { body: { ...example, campaign_id: ids.campaign } })
      expect([affiliate.status, affiliate.body.email]).toEqual([201, example.email])
      ids.affiliate = affiliate.body.id
      const coupon = { ...exampleOf('createAffiliateCoupon'), affiliate_id: ids.affiliate }
      expect((await call('createAffiliateCoupon', { body: coupon, form: true })).status).toBe(201)
      expect((await call('readAffiliateCoupon', { id: affiliate.body.id })).status).toBe(404)
      const [made] = (await call('listAffiliateCoupons')).body.data
      expect((await call('readAffiliateCoupon', { id: made.id })).body).toEqual(made)
      const link = { affiliate_id: ids.affiliate, token: 'ada-0' }
      const added = await call('createAffiliateLink', { body: link })
      expect(added.status).toBe(201)
      const renamed = await call('updateAffiliateLink', { id: added.body.id, body: { token: 'ada-2' } })
      expect(renamed.body).toMatchObject({ token: 'ada-2', url: 'https://acme.test/pricing?via=ada-2' })
      expect((await call('readAffiliateLink', { id: added.body.id })).body).toEqual(renamed.body)
      expect((await call('createAffiliateLink2', { id: ids.affiliate, body: { token: 'ada-3' } })).status).toBe(201)
      const updated = await call('updateAffiliate', { id: ids.affiliate, body: exampleOf('updateAffiliate') })
      expect(updated.body).toMatchObject(exampleOf('updateAffiliate'))
      expect((await call('readAffiliate', { id: ids.affiliate })).body.links).toHaveLength(3)
      for (const operationId of ['createSsoLink', 'createSsoLink2']) {
        const { status, body } = await call(operationId, { id: ids.affiliate })
        expect([status, body.affiliate]).toEqual([200, { id: ids.affiliate, email: updated.body.email }])
      }
    })

    it('for a referral, a sale and a repeated sale', async () => {
      ids.referral = await visit('ada')
      await visit('ada-2')
      expect((await call('readReferral', { id: ids.referral })).body.conversion_state).toBe('visitor')
      await becomeLead(await visit('ada-3'), 'lead@example.com')
      // The sale of the example occurred before the visit, so it would be held.
      const sale = { ...exampleOf('reportConversion'), referral_id: ids.referral, occurred_at: undefined }
      expect((await call('reportConversion', { body: sale })).status).toBe(201)
      const repeated = await call('reportConversion', { body: sale, form: true })
      expect([repeated.status, repeated.body.duplicate]).toEqual([200, true])
      ids.commission = repeated.body.commission.id
      const recorded = await call('readSale', { id: repeated.body.sale_id })
      expect([recorded.status, recorded.body.stripe_charge_id]).toEqual([
        200,
        exampleOf('reportConversion').external_id,
      ])
      const nothing = await call('reportConversion', { body: { amount_cents: 1, coupon: 'ADA20' } })
      expect([nothing.status, nothing.body.commission]).toEqual([201, null])
      const second = await call('reportConversion', { body: { amount_cents: 900, coupon: 'ADA20' } })
      expect((await call('voidCommission', { id: second.body.commission.id })).body.state).toBe('void')
      expect((await call('readCommission', { id: ids.commission })).body.state).toBe('pending')
      const amended = await call('amendCommission', { id: ids.commission, body: exampleOf('amendCommission') })
      expect(amended.body).toMatchObject(exampleOf('amendCommission'))
    })

    it('for a refund', async () => {
      const sale = { amount_cents: 4900, coupon: 'ADA20', external_id: 'inv_refunded' }
      await call('reportConversion', { body: sale })
      const refund = { ...exampleOf('refundSale'), external_id: sale.external_id }
      const made = await call('refundSale', { body: refund })
      expect([made.status, made.body.amount_cents, made.body.commission.amount]).toEqual([201, 2000, 580])
      const repeated = await call('refundSale', { body: refund, form: true })
      expect([repeated.status, repeated.body]).toEqual([200, { ...made.body, duplicate: true }])
      const reversed = await call('reverseRefund', { body: exampleOf('reverseRefund') })
      expect([reversed.status, reversed.body.commission.amount]).toEqual([200, 980])
      expect((await call('reverseRefund', { body: exampleOf('reverseRefund'), form: true })).body).toEqual(
        reversed.body,
      )
      await call('voidCommission', { id: made.body.commission.id })
    })

    it('for a refund that waits for its sale', async () => {
      const waiting = await call('refundSale', { body: { external_id: 'inv_later', refund_external_id: 're_later' } })
      expect([waiting.status, waiting.body]).toMatchObject([202, { waiting: true, sale_id: null, commission: null }])
    })

    it('for a payout and its paid commission', async () => {
      test.clock.advanceDays(40)
      const [payout] = (await call('listPayouts')).body.data
      expect((await call('readPayout', { id: payout.id })).body).toEqual(payout)
      const [event] = (await call('listEvents')).body.data
      expect((await call('readEvent', { id: event.id })).body).toEqual(event)
      await call('updateCampaign', { id: ids.campaign as string, body: { minimum_payout_cents: 100_000 } })
      expect((await call('payPayout', { id: payout.id })).status).toBe(422)
      expect((await call('payPayout2', { id: payout.id })).status).toBe(422)
      await call('updateCampaign', { id: ids.campaign as string, body: { minimum_payout_cents: 0 } })
      const file = await call('readPayoutFile', { query: 'format=wallet_a&state=pending' })
      expect(file.body).toContain('ada@wallet-a.test,')
      const run = file.headers.get('payout-run-id') as string
      await call('cancelPayoutRun', { id: run, body: exampleOf('cancelPayoutRun') })
      expect((await call('payPayout', { id: payout.id })).body.state).toBe('paid')
      const form = { headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }
      expect((await call('payPayout2', { id: payout.id, ...form })).body.state).toBe('paid')
      expect((await call('voidCommission', { id: ids.commission as string })).status).toBe(422)
      expect((await call('amendCommission', { id: ids.commission as string, body: { amount: 1 } })).body).toEqual({
        error: expect.any(String),
      })
    })

    it.runIf(profile === 'superset')('for the statements of a month', async () => {
      await program.graphql('mutation { closeMonth(input: { month: "2026-02" }) { statements { id } } }')
      const [statement] = (await call('listStatements')).body.data
      const { id } = statement
      expect((await call('readStatement', { id })).body).toEqual(statement)
      expect((await call('readStatementJson', { id })).body).toMatchObject({ proof: { hash: statement.hash } })
      expect((await call('readStatementPdf', { id })).body).toMatch(/^%PDF/)
      await setUpInvoices(program)
      const own = ownClient(test, program, statement.affiliate_id)
      await accept(own)
      await sign(own)
      const [invoice] = (await createInvoices(program, '2026-02', statement.affiliate_id)).invoices
      expect((await call('readInvoicePdf', { id: invoice?.id as string })).body).toMatch(/^%PDF/)
    })

    it.runIf(profile === 'superset')('for what affiliates were paid in a year', async () => {
      expect((await call('readTaxTotalsFile', { query: 'year=2026' })).body).toMatch(/^year,affiliate_id,/)
      expect((await call('readTaxTotalsFile', { query: 'year=soon' })).status).toBe(422)
    })

    it.runIf(profile === 'superset')('for a bonus', async () => {
      const body = { ...exampleOf('createCommission'), affiliate_id: ids.affiliate }
      const { status, body: bonus } = await call('createCommission', { body })
      expect([status, bonus.kind]).toEqual([201, 'bonus'])
      await call('voidCommission', { id: bonus.id })
    })

    it.runIf(profile === 'superset')('for a sale that has grown', async () => {
      const sale = { amount_cents: 4900, coupon: 'ADA20', external_id: 'inv_grown' }
      const { body: reported } = await call('reportConversion', { body: sale })
      const id = reported.sale_id as string
      const { status, body } = await call('changeSale', { id, body: { amount_cents: 9_900, reason: 'two more seats' } })
      expect([status, body.id, body.charge_amount_cents]).toEqual([200, id, 9_900])
      expect((await call('changeSale', { id, body: { amount_cents: -1, reason: 'a mistake' } })).status).toBe(422)
      await call('voidCommission', { id: reported.commission.id })
    })

    it('for a payout run, and a payout that is undone', async () => {
      for (const body of [{ paid_at: '2026-01-01T00:00:00Z' }, { paid_at: '' }]) {
        const [{ id }] = (await call('listPayouts', { query: 'state=paid' })).body.data
        const undone = await call('updatePayout', { id, body })
        expect([undone.status, undone.body.state]).toEqual(body.paid_at ? [422, undefined] : [200, 'pending'])
      }
      expect((await call('createPayoutRun', { body: { method: 'sepa' } })).status).toBe(422)
      const make = async () => (await call('createPayoutRun', { body: { method: 'manual' } })).body
      const cancelled = await make()
      expect(cancelled.payouts).toBeGreaterThan(0)
      expect((await call('approvePayoutRun', { id: cancelled.id })).status).toBe(422)
      expect((await call('cancelPayoutRun', { id: cancelled.id, body: {} })).status).toBe(422)
      const cancel = await call('cancelPayoutRun', { id: cancelled.id, body: exampleOf('cancelPayoutRun') })
      expect(cancel.body.state).toBe('cancelled')
      const { id } = await make()
      expect((await call('readPayoutRun', { id })).body.state).toBe('prepared')
      await runsOf(await anotherKey(test, program)).approve(id)
      expect((await call('approvePayoutRun', { id })).body.state).toBe('approved')
      const sent = await call('markPayoutRunSent', { id, body: exampleOf('markPayoutRunSent') })
      expect(sent.body.state).toBe('sent')
      const paid = await call('markPayoutRunPaid', { id, body: exampleOf('markPayoutRunPaid') })
      expect(paid.body.state).toBe('paid')
      for (const step of ['markPayoutRunSent', 'markPayoutRunPaid'])
        expect((await call(step, { id: cancelled.id, body: {} })).status).toBe(422)
      expect((await call('cancelPayoutRun', { id, body: exampleOf('cancelPayoutRun') })).status).toBe(422)
    })

    const lists = operations.filter(({ operation }) => operation.operationId.startsWith('list'))
    it.each(lists.map(({ operation }) => operation.operationId))(
      '%s accepts each of its parameters',
      async (operationId) => {
        // The id of lists of one affiliate. Other lists have no id in the path.
        const id = ids.affiliate as string
        const all = await call(operationId, { id })
        const { total_count: total } = all.body.pagination
        expect(all.body.pagination).toMatchObject({ current_page: 1, limit: 25, count: Math.min(total, 25) })
        expect(all.body.data.length).toBeGreaterThan(0)
        for (const { name, schema, required } of findOperation(operationId).operation.parameters) {
          if (name === 'id') continue
          expect(required).toBe(false)
          const value = sample(name, schema)
          const { status, body } = await call(operationId, {
            id,
            query: new URLSearchParams({ [name]: value }).toString(),
          })
          expect([name, status]).toEqual([name, 200])
          expect(body.pagination.total_count).toBeLessThanOrEqual(all.body.pagination.total_count)
          // An invalid value shows that the parameter is read. An ignored one would be accepted.
          if (name === 'expand[]') continue
          if (['integer', 'array'].includes(schema.type) || schema.format === 'date-time') {
            expect((await call(operationId, { id, query: `${encodeURIComponent(name)}=nonsense` })).status).toBe(422)
          }
        }
        expect((await call(operationId, { id, headers: { 'If-None-Match': '*' } })).status).toBe(304)
      },
    )

    const sample = (name: string, schema: any): string => {
      if (name === 'affiliate_id' || name === 'campaign_id') return ids[name.replace('_id', '')] as string
      if (schema.items?.enum) return schema.items.enum[0]
      if (schema.type === 'array')
        return { AffiliateState: 'active', ConversionState: 'lead' }[enumOf(schema)] ?? 'paid'
      return String(schema.default ?? schema.examples?.[0] ?? 'x')
    }
    const enumOf = (schema: any): string =>
      schema.items.$ref
        .split('/')
        .at(-1)
        .replace(/Filter$/, '')
  })

  describe('errors', () => {
    const keyed = operations.filter(({ operation }) => !operation.security)
    const idOf = ({ operation }: Operation): string => operation.operationId
    const withBody = keyed.filter(({ operation }) => operation.requestBody).map(idOf)

    it.each(keyed.map(idOf))('%s returns 401 without a key', async (operationId) => {
      expect((await call(operationId, { headers: { Authorization: 'Bearer nobody' } })).status).toBe(401)
    })

    it.each(keyed.filter(({ operation }) => operation.responses[403]).map(idOf))(
      '%s returns 403 for a read-only key',
      async (operationId) => {
        const { createApiKey } = await test.operator(
          `mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { secret } }`,
          { input: { programId: program.id, name: 'Reads', access: 'READ', profile: profile.toUpperCase() } },
        )
        const headers = { Authorization: `Bearer ${createApiKey.secret}` }
        expect((await call(operationId, { headers })).status).toBe(403)
      },
    )

    it.each(withBody)('%s returns 400, 413 and 415 for a body that cannot be read', async (operationId) => {
      const send = (raw: string, type: string) => call(operationId, { raw, headers: { 'Content-Type': type } })
      expect((await send('{', 'application/json')).status).toBe(400)
      expect((await send('<a/>', 'application/xml')).status).toBe(415)
      expect((await send('x'.repeat(1024 * 1024 + 1), 'application/json')).status).toBe(413)
    })

    it.each(keyed.filter(({ operation }) => operation.responses[404]).map(idOf))(
      '%s returns 404 for an unknown or invalid id',
      async (operationId) => {
        const body = withBody.includes(operationId) ? { body: {} } : {}
        for (const id of [unknownId, 'no-id']) expect((await call(operationId, { id, ...body })).status).toBe(404)
      },
    )

    const withKey = keyed.filter(({ operation }) => operation.responses[409]).map(idOf)
    it.each(withKey)('%s returns 400 and 409 for an Idempotency-Key', async (operationId) => {
      const send = (key: string) =>
        call(operationId, {
          ...(withBody.includes(operationId) && { body: {} }),
          headers: { 'Idempotency-Key': key },
        })
      expect((await send('a b')).status).toBe(400)
      // Whether requests overlap depends on the machine: on the embedded database, most run one after the other.
      const statuses = new Set<number>()
      for (let round = 0; round < 40 && !statuses.has(409); round += 1) {
        const answers = await Promise.all(Array.from({ length: 10 }, () => send(`${operationId}-${round}`)))
        for (const { status } of answers) statuses.add(status)
      }
      expect([...statuses]).toContain(409)
    })

    const refused: Record<string, object> = {
      createAffiliate: {},
      createCampaign: { name: 'Both', url: 'https://acme.test', commission_percent: 1, commission_amount_cents: 1 },
      createAffiliateLink: { affiliate_id: unknownId },
      createAffiliateCoupon: { token: 'ADA20' },
      reportConversion: { amount_cents: 100 },
    }
    it.each(Object.entries(refused))('%s returns 422 for invalid input', async (operationId, body) => {
      const answer = await call(operationId, { body })
      expect([answer.status, answer.body.details.length > 0]).toEqual([422, true])
    })

    it('returns 422 for invalid input to routes with an id in the path', async () => {
      const affiliate = await call('createAffiliate', { body: { email: 'grace@example.com' } })
      const answer = await call('updateAffiliate', { id: affiliate.body.id, body: { email: '', state: 'gone' } })
      expect([answer.status, answer.body.details]).toMatchObject([422, { length: 2 }])
      const campaign = { id: affiliate.body.campaign.id, body: { commission_percent: 101 } }
      expect((await call('updateCampaign', campaign)).status).toBe(422)
      const link = { id: affiliate.body.id, body: { token: '!' } }
      expect((await call('createAffiliateLink2', link)).status).toBe(422)
      const [first] = affiliate.body.links
      expect((await call('updateAffiliateLink', { id: first.id, body: { token: '!' } })).status).toBe(422)
    })

    it('returns 422 for a sign-in link of a disabled affiliate', async () => {
      const { body } = await call('createAffiliate', { body: { email: 'gone@example.com' } })
      await call('updateAffiliate', { id: body.id, body: { state: 'disabled' } })
      for (const operationId of ['createSsoLink', 'createSsoLink2'])
        expect((await call(operationId, { id: body.id })).status).toBe(422)
    })

    it('returns 422 for an unknown format of a file', async () => {
      const answer = await call('readPayoutFile', { query: 'format=xlsx' })
      expect([answer.status, answer.body.details.length]).toEqual([422, 1])
    })

    it('returns 422 with the reasons for a sale that no affiliate matches', async () => {
      const answer = await call('reportConversion', { body: { amount_cents: 100, email: 'nobody@example.com' } })
      expect([answer.status, answer.body.details]).toEqual([422, ['no_matching_affiliate', 'email_not_found']])
    })

    it('returns 422 to reverse an unknown refund', async () => {
      const unknown = await call('reverseRefund', { body: { external_id: 're_unknown' } })
      expect([unknown.status, unknown.body.details]).toEqual([422, ['Refund not found.']])
    })

    it('returns 422 for a refund of an unknown sale and of a fully refunded one', async () => {
      const unknown = await call('refundSale', { body: { sale_id: 'unknown' } })
      expect([unknown.status, unknown.body.details]).toEqual([422, ['Sale not found.']])
      await call('refundSale', { body: { external_id: 'inv_1001' } })
      const empty = await call('refundSale', { body: { external_id: 'inv_1001' } })
      expect([empty.status, empty.body.details]).toEqual([422, ['sale_refunded_in_full']])
    })

    const failures: [number, Error][] = [
      [500, new Error('a defect')],
      [503, new Error('Connection terminated unexpectedly')],
    ]
    it.each(failures)('returns %i when the database fails', async (status, error) => {
      const fail = () => Promise.reject(error)
      const db = new Proxy({}, { get: () => new Proxy(fail, { get: () => fail }) }) as never
      const options = { adminToken, publicUrl: () => 'http://localhost:4000', log: silentLog }
      const app = createInstance({ database: { db, ping: fail }, ...options })
      for (const operationId of keyed.map(idOf)) expect((await call(operationId, {}, app)).status).toBe(status)
    })

    const limited = keyed.filter(({ operation }) => operation.responses[429]).map(idOf)
    it('429 beyond the limit: that of the convention, or the one that the operator has set', async () => {
      const options = { adminToken, publicUrl: () => 'http://localhost:4000', log: silentLog }
      const { database } = test
      const isOfConvention = (operationId: string) =>
        findOperation(operationId).operation.responses[429].$ref === undefined
      const apps = [
        createInstance({ database, ...options, requestsPer30Seconds: 1 }),
        createInstance({ database, ...options, limits: { perKey: 1 } }),
      ] as const
      for (const app of apps) await call('listAffiliates', {}, app)
      for (const operationId of limited)
        expect((await call(operationId, {}, apps[isOfConvention(operationId) ? 0 : 1])).status).toBe(429)
    })

    const reads = keyed.filter(({ operation }) => operation.responses[304] && !operation.responses[404]).map(idOf)
    it.each(reads)('%s returns 304 to a current If-None-Match', async (operationId) => {
      const query = operationId === 'readPayoutFile' ? 'format=generic' : undefined
      expect((await call(operationId, { query, headers: { 'If-None-Match': '*' } })).status).toBe(304)
    })

    const exports = keyed.map(idOf).filter((name) => name.startsWith('export'))
    it.each(exports)('%s returns a file for each parameter, and 422', async (operationId) => {
      const whole = await call(operationId)
      const columns = whole.body.split('\r\n')[0].split(',')
      expect(columns).toContain(operationId === 'exportVisits' ? 'visited_at' : 'updated_at')
      const lines = await call(operationId, { headers: { Accept: 'application/x-ndjson' } })
      for (const line of lines.body.trim().split('\n').filter(Boolean))
        expect(Object.keys(JSON.parse(line))).toEqual(columns)
      for (const { name, schema } of findOperation(operationId).operation.parameters) {
        const query = `${encodeURIComponent(name)}=nonsense`
        const isRead = schema.enum || ['array', 'boolean'].includes(schema.type) || schema.format === 'date-time'
        if (isRead || ['after', 'currency', 'where'].includes(name))
          expect((await call(operationId, { query })).status).toBe(422)
        else expect((await call(operationId, { query })).body).toBe(`${columns.join(',')}\r\n`)
      }
    })

    it('reads by id return 304 to a current If-None-Match', async () => {
      const byId = keyed.filter(({ operation }) => operation.responses[304] && operation.responses[404]).map(idOf)
      for (const operationId of byId.filter((name) => name.startsWith('read'))) {
        // A statement is also read as files.
        const list = `list${operationId.slice('read'.length).replace(/(?<=^Statement)(Json|Pdf)$/, '')}s`
        const [{ id }] = (await call(list, { query: 'limit=1' })).body.data
        expect((await call(operationId, { id, headers: { 'If-None-Match': '*' } })).status).toBe(304)
      }
    })

    it('the document returns 304 to a current If-None-Match and 412 to an outdated If-Match', async () => {
      for (const name of ['readOpenApi', 'readSupersetOpenApi']) {
        expect((await call(name)).status).toBe(200)
        expect((await call(name, { headers: { 'If-None-Match': '*' } })).status).toBe(304)
        expect((await call(name, { headers: { 'If-Match': '"other"' } })).status).toBe(412)
      }
    })
  })

  it('the tests above got every documented response', () => {
    const documented = operations.flatMap(({ operation }) =>
      Object.keys(operation.responses).map((status) => `${operation.operationId} ${status}`),
    )
    expect(documented.filter((answer) => !seen.has(answer))).toEqual([])
  })
}
