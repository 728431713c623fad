import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { sweepClock } from '../../src/modules/event-log/sweep.ts'
import { eventMeanings, eventTypes, isOwnType } from '../../src/modules/events/types.ts'
import { createTestApp, type TestProgram } from '../support/app.ts'
import { makeTemporaryFolder } from '../support/data-directory.ts'
import { listed, made, recordLead, recordVisit, reportSale } from '../support/factories.ts'
import { agreedSeller, createInvoices, setUpInvoices } from '../support/invoices.ts'
import { runsOf } from '../support/payout-runs.ts'
import { setUpOperator } from '../support/people.ts'
import { proposalsOf } from '../support/proposals.ts'
import { createReceiver } from '../support/receiver.ts'
import { createEndpoint } from '../support/webhooks.ts'

const test = await createTestApp()
const receiver = await createReceiver()
afterAll(receiver.close)

const mutate = (program: TestProgram, name: string, fields: string) =>
  program.graphql(`mutation { ${name}(input: { ${fields} }) { __typename } }`)

const createAda = (program: TestProgram, campaignId: string, fields: object = {}) =>
  made(
    program.post('/affiliates', {
      ...{ email: 'ada@example.com', first_name: 'Ada', last_name: 'Lovelace', token: 'ada', campaign_id: campaignId },
      ...fields,
    }),
  )

/** Causes an event of each type, in one program. */
async function causeAll(program: TestProgram): Promise<void> {
  const campaign = await made(
    program.post('/campaigns', {
      ...{ name: 'Partners', url: 'https://acme.test/pricing', commission_percent: 20 },
      ...{ days_before_commissions_are_due: 30, days_before_referrals_expire: 40 },
    }),
  )
  const affiliate = await createAda(program, campaign.id)
  await made(program.put(`/affiliates/${affiliate.id}`, { wallet_a_email: 'ada@wallet.test' }))
  const coupon = await made(program.post('/affiliate_coupons', { affiliate_id: affiliate.id, token: 'ADA20' }))
  for (const verb of ['archive', 'unarchive']) await mutate(program, `${verb}AffiliateCoupon`, `id: "${coupon.id}"`)
  const link = await made(program.post('/affiliate_links', { affiliate_id: affiliate.id, token: 'ada-blog' }))
  for (const verb of ['archive', 'unarchive', 'delete'])
    await mutate(program, `${verb}AffiliateLink`, `id: "${link.id}"`)
  const { id: referralId } = await recordVisit(program, 'ada')
  await recordLead(program, referralId, 'grace@example.com', { name: 'Grace Hopper' })
  const sell = (fields: object) => reportSale(program, { amount_cents: 4_900, ...fields })
  const refund = (fields: object) => made(program.post('/conversions/refund', fields))
  await sell({ email: 'grace@example.com', external_id: 'inv_1001' })
  await sell({ coupon: 'ADA20', external_id: 'inv_1002' })
  await refund({ external_id: 'inv_1002', refund_external_id: 're_1001' })
  await made(program.post('/conversions/refund/reverse', { external_id: 're_1001', reason: 'dispute won' }))
  await refund({ external_id: 'inv_1002', refund_external_id: 're_1002' })
  const { commission } = await sell({ coupon: 'ADA20', external_id: 'inv_1003' })
  await made(program.delete(`/commissions/${commission.id}`))
  for (const policy of ['ALLOW', 'HOLD'])
    await mutate(program, 'updateCampaign', `id: "${campaign.id}", selfReferrals: ${policy}`)
  const held = await sell({ coupon: 'ADA20', email: 'ada@example.com', external_id: 'inv_1004' })
  await mutate(program, 'approveCommission', `id: "${held.commission.id}"`)
  await program.post('/conversions', { amount_cents: 4_900, email: 'nobody@example.com', external_id: 'inv_1005' })
  await recordVisit(program, 'ada')
  test.clock.advanceDays(31)
  await sweepClock({ db: test.database.db, now: () => test.clock.now })
  const [payout] = await listed(program, '/payouts')
  await made(program.post(`/payouts/${payout.id}/pay`))
  const { payoutRuns } = await program.graphql('{ payoutRuns { nodes { id } } }')
  await runsOf(program).record(payoutRuns.nodes[0].id, [{ payoutId: payout.id, state: 'RETURNED' }])
  test.clock.advanceDays(10)
  await sweepClock({ db: test.database.db, now: () => test.clock.now })
  await causePayoutDeleted(program)
  const unused = await createAda(program, campaign.id, { email: 'bob@example.com', token: 'bob' })
  const coupon2 = await made(program.post('/affiliate_coupons', { affiliate_id: unused.id, token: 'BOB20' }))
  await mutate(program, 'deleteAffiliateCoupon', `id: "${coupon2.id}"`)
  await causeOwn(program)
}

async function causePayoutDeleted(program: TestProgram): Promise<void> {
  const fields = { name: 'At once', url: 'https://acme.test', commission_percent: 10 }
  const campaign = await made(program.post('/campaigns', { ...fields, days_before_commissions_are_due: 0 }))
  const affiliate = await createAda(program, campaign.id, { email: 'eve@example.com', token: 'eve' })
  await made(program.post('/affiliate_coupons', { affiliate_id: affiliate.id, token: 'EVE10' }))
  const { commission } = await reportSale(program, { coupon: 'EVE10', amount_cents: 4_900, external_id: 'inv_1006' })
  await listed(program, '/payouts')
  await made(program.delete(`/commissions/${commission.id}`))
}

async function causeOwn(program: TestProgram): Promise<void> {
  const { id } = await made(
    program.post('/campaigns', { name: 'Try', url: 'https://acme.test/try', commission_percent: 5 }),
  )
  for (const verb of ['archive', 'unarchive', 'delete']) await mutate(program, `${verb}Campaign`, `id: "${id}"`)
  const { createApiKey } = await test.operator(
    'mutation ($id: ID!) { createApiKey(input: { programId: $id, name: "Billing" }) { apiKey { id } } }',
    { id: program.id },
  )
  const key = `id: "${createApiKey.apiKey.id}"`
  await test.operator(`mutation { updateApiKey(input: { ${key}, name: "Reports" }) { __typename } }`)
  await test.operator(`mutation { revokeApiKey(input: { ${key} }) { __typename } }`)
  const { commission } = await reportSale(program, { coupon: 'ADA20', amount_cents: 4_900, external_id: 'inv_1007' })
  const { id: proposalId } = await proposalsOf(program.graphql).propose('VOID', { ids: [commission.id] })
  await proposalsOf((await setUpOperator(test)).graphql(program.slug)).reject(proposalId, 'It is right.')
  await setUpInvoices(program)
  const { coupon } = await agreedSeller(test, program)
  await reportSale(program, { coupon, amount_cents: 4_900, external_id: 'inv_1008' })
  const month = test.clock.now.toISOString().slice(0, 7)
  test.clock.advanceDays(31)
  await mutate(program, 'closeMonth', `month: "${month}"`)
  await createInvoices(program, month)
  const other = await createEndpoint(program, 'https://old.acme.test/webhooks')
  await mutate(program, 'disableWebhookEndpoint', `id: "${other.id}"`)
}

/** The bodies that an endpoint was sent, with ids, times and secrets of no run: one of each type. */
async function exampleBodies(): Promise<Map<string, any>> {
  const program = await test.createProgram()
  const { id } = await createEndpoint(program, receiver.url)
  await causeAll(program)
  await test.app.sendWebhooks()
  // All were delivered, and the first of a type is that of the oldest subject: one statement can record several at once.
  const undelivered =
    '{ webhookDeliveries(where: { state: { not: SUCCEEDED } }) { nodes { eventType tries { error } } } }'
  expect((await program.graphql(undelivered)).webhookDeliveries.nodes).toEqual([])
  const bodies = new Map<string, any>()
  for (const body of receiver.events().sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1)))
    if (!bodies.has(body.type)) bodies.set(body.type, body)
  const without = eventTypes.filter((type) => !bodies.has(type))
  expect(without).toEqual(['affiliate.deleted', 'referral.deleted', 'sale.deleted'])
  for (const type of without) {
    receiver.clear()
    await mutate(program, 'sendTestEvent', `endpointId: "${id}", type: "${type}"`)
    await test.app.sendWebhooks()
    bodies.set(type, receiver.events()[0])
  }
  return bodies
}

const orderOf = ({ timestamp, data }: { timestamp: string; data: { id: string } }) => `${timestamp} ${data.id}`

/** Lines of a body: the resource has one line for each field. */
function linesOf({ data, ...rest }: { data: object }): string {
  const fields = (of: object, indent: string) =>
    Object.entries(of).map(([name, value]) => `${indent}"${name}": ${JSON.stringify(value)}`)
  return ['{', `${fields(rest, '  ').join(',\n')},`, '  "data": {', fields(data, '    ').join(',\n'), '  }', '}'].join(
    '\n',
  )
}

function withoutRandom(text: string): string {
  const ids = new Map<string, string>()
  let versions = 0
  const numbered = (id: string) => {
    if (!ids.has(id)) ids.set(id, `019cd7a1-5a00-7000-8000-${String(ids.size + 1).padStart(12, '0')}`)
    return ids.get(id) as string
  }
  return text
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, numbered)
    .replace(/"version": \d+/g, () => `"version": ${1_773_144_000_000 + ++versions}`)
    .replace(
      /"(root|key_id)": "[\w-]{43,}"/g,
      (_, name) => `"${name}": "${name === 'root' ? 'b2ce9395'.repeat(8) : 'ZYYTQn1mSR-C71Hq'}"`,
    )
    .replace(/"seal": "[^"]*"/g, '"seal": "eyJhbGciOiJFZERTQSJ9.eyJmb3JtYXQi.z0bZEchA"')
    .replace(/"last_four": "[^"]*"/g, '"last_four": "x9Zk"')
}

it('docs/webhook-events.md has every type, with a body that was sent', async () => {
  const bodies = await exampleBodies()
  const rows = eventTypes.map((type) => {
    const inConvention = isOwnType(type) ? '' : 'yes'
    return `| [\`${type}\`](#${type.replaceAll('.', '')}) | ${inConvention} | ${eventMeanings[type]} |`
  })
  const examples = eventTypes.map((type) => `### ${type}\n\n\`\`\`json\n${linesOf(bodies.get(type))}\n\`\`\`\n`)
  const text = `# Types of events

[Webhooks](webhooks.md) send these types, and the log of events (\`GET /v1/events\`, \`events\` in GraphQL) has them. Endpoints in the
format of the convention are sent only the types that the convention has.

This file is written by \`npx vitest run test/docs/webhooks.test.ts -u\`, from bodies that an endpoint was sent.

| type | convention | meaning |
|---|---|---|
${rows.join('\n')}

## Examples

The bodies are in the standard format. In the format of the convention, \`data\` is \`object\`. They are sent without spaces and line
breaks.

${withoutRandom(examples.join('\n'))}`
  await expect(text).toMatchFileSnapshot('../../docs/webhook-events.md')
})

describe('the verification in docs/webhooks.md', () => {
  afterEach(() => void vi.useRealTimers())
  const snippets = [...readFileSync('docs/webhooks.md', 'utf8').matchAll(/```js\n([\s\S]*?)```/g)]

  it.each([
    ['standard', 0, 'STANDARD'],
    ['convention', 1, 'CONVENTION'],
  ] as const)('in the %s format accepts what is sent, and nothing else', async (_, index, format) => {
    const file = join(await makeTemporaryFolder(), 'verify.mjs')
    await writeFile(file, snippets[index]?.[1] as string)
    const { isAuthentic } = await import(/* @vite-ignore */ pathToFileURL(file).href)
    const program = await test.createProgram()
    const { secret } = await createEndpoint(program, receiver.url, `format: ${format}`)
    receiver.clear()
    await made(program.post('/affiliates', { email: 'ada@example.com', first_name: 'Zoë', last_name: 'x' }))
    await test.app.sendWebhooks()
    const { headers, body } = receiver.received[0] as { headers: object; body: string }
    vi.useFakeTimers({ toFake: ['Date'], now: test.clock.now })
    expect(isAuthentic(headers, body, secret)).toBe(true)
    expect(isAuthentic(headers, `${body} `, secret)).toBe(false)
    expect(isAuthentic(headers, body, `${secret.slice(0, -4)}AAA=`)).toBe(false)
    expect(isAuthentic({}, body, secret)).toBe(false)
    if (format === 'CONVENTION') return
    vi.setSystemTime(test.clock.now.getTime() + 600_000)
    expect(isAuthentic(headers, body, secret)).toBe(false)
  })
})
