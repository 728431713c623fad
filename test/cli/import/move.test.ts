import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { sweepClock } from '../../../src/modules/event-log/sweep.ts'
import { adminToken, createTestApp, restClient } from '../../support/app.ts'
import { type Child, startChild } from '../../support/data-directory.ts'
import { type OldServer, oldProgram, startOldServer } from '../../support/old-server.ts'

// `npm run import` in its own process, between two servers over HTTP.

const app = await createTestApp()
const { db } = app.database
const server = createServer(app.app.handle)
beforeAll(() => new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening)))
afterAll(async () => {
  server.closeAllConnections()
  await new Promise((closed) => server.close(closed))
})

function startImport(old: Pick<OldServer, 'address'>, args: string[] = [], env: NodeJS.ProcessEnv = {}): Child {
  const { port } = server.address() as AddressInfo
  const settings = { TRIBUTARY_URL: `http://127.0.0.1:${port}`, ADMIN_TOKEN: adminToken, IMPORT_KEY: 'old_secret_key' }
  return startChild('src/cli/import.ts', ['--from', old.address, ...args], { ...settings, ...env })
}

const runImport = async (...given: Parameters<typeof startImport>) => {
  const { code, output } = await startImport(...given).exited
  expect(output).not.toContain('old_secret_key')
  return { code, output }
}

/** The rows of the imported program, by their ids at the source. */
async function imported(old: OldServer) {
  const source = `${old.address}/v1`
  const { programId } = await db.import.findFirstOrThrow({ where: { source } })
  const records = await db.importedRecord.findMany({ where: { programId } })
  const idOf = (kind: string, externalId: string) =>
    records.find((one) => one.kind === kind && one.externalId === externalId)?.id
  const { createApiKey } = await app.operator(
    'mutation ($id: ID!) { createApiKey(input: { programId: $id, name: "Tests" }) { secret } }',
    { id: programId },
  )
  const rest = restClient(app.app.fetch, { Authorization: `Bearer ${createApiKey.secret}` })
  const all = async (list: string) => {
    const rows = new Map<string, any>()
    for (let page = 1; ; page += 1) {
      const { body } = await rest.get(`/${list}?limit=100&page=${page}`)
      if (body.data.length === 0) return rows
      for (const row of body.data) rows.set(row.id, row)
    }
  }
  return { programId, idOf, all }
}

/** Compares every row of the source with the row here. */
async function expectSameProgram(old: OldServer) {
  const { programId, idOf, all } = await imported(old)
  const { campaigns = [], affiliates = [], referrals = [], commissions = [], payouts = [] } = old.lists
  const here = await all('campaigns')
  expect(here.size).toBe(campaigns.length)
  for (const row of campaigns)
    expect(here.get(idOf('campaign', row.id) as string)).toMatchObject({
      name: row.name,
      commission_percent: row.commission_percent,
      days_before_commissions_are_due: row.days_until_commissions_are_due,
      created_at: row.created_at,
    })
  const affiliatesHere = await all('affiliates')
  expect(affiliatesHere.size).toBe(affiliates.length)
  for (const row of affiliates) {
    const theirs = referrals.filter(({ affiliate }) => affiliate.id === row.id)
    expect(affiliatesHere.get(idOf('affiliate', row.id) as string)).toMatchObject({
      email: row.email,
      first_name: row.first_name,
      last_name: row.last_name,
      wallet_a_email: row.paypal_email,
      state: row.state,
      billing_customer_id: row.stripe_customer_id,
      confirmed_at: row.confirmed_at,
      created_at: row.created_at,
      campaign: { id: idOf('campaign', row.campaign.id) },
      links: [{ token: row.links[0].token }],
      visitors: theirs.length,
      conversions: theirs.filter(({ conversion_state }) => conversion_state === 'conversion').length,
    })
  }
  const referralsHere = await all('referrals')
  expect(referralsHere.size).toBe(referrals.length)
  for (const row of referrals)
    expect(referralsHere.get(idOf('referral', row.id) as string)).toMatchObject({
      conversion_state: row.conversion_state,
      became_lead_at: row.became_lead_at,
      became_conversion_at: row.became_conversion_at,
      expires_at: row.expires_at,
      billing_customer_id: row.stripe_customer_id,
      affiliate_id: idOf('affiliate', row.affiliate.id),
      campaign_id: idOf('campaign', row.campaign_id),
    })
  const commissionsHere = await all('commissions')
  expect(commissionsHere.size).toBe(commissions.length)
  for (const row of commissions)
    expect(commissionsHere.get(idOf('commission', row.id) as string)).toMatchObject({
      amount: row.amount,
      currency: 'usd',
      state: row.state.replace('voided', 'void'),
      due_at: row.due_at,
      paid_at: row.paid_at,
      affiliate_id: idOf('affiliate', row.sale.affiliate.id),
    })
  const payoutsHere = await all('payouts')
  const paid = [...payoutsHere.values()].filter(({ state }) => state === 'paid')
  expect(paid.length).toBe(payouts.length)
  for (const row of payouts)
    expect(payoutsHere.get(idOf('payout', row.id) as string)).toMatchObject({
      amount: row.amount,
      paid_at: row.paid_at,
    })
  const sales = await db.sale.findMany({ where: { programId } })
  expect(sales.map(({ externalId }) => externalId).sort()).toEqual(
    commissions.map(({ sale }) => sale.stripe_charge_id).sort(),
  )
  expect(sales.every(({ amountCents }) => amountCents === 10_000n)).toBe(true)
}

it('imports a program from a server with pages, a rate limit and failures', async () => {
  const old = await startOldServer(oldProgram(40), { limit: 6, windowMs: 200, failsEvery: 4, pageSize: 60 })
  const { code, output } = await runImport(old)
  expect(code, output).toBe(0)
  expect(output).toContain('Both sides agree.')
  expect(old.requests.some(({ status }) => status === 429)).toBe(true)
  expect(old.requests.some(({ status }) => status === 503)).toBe(true)
  await expectSameProgram(old)
})

it('records events only with --events: one for each record that is created or updated', async () => {
  const old = await startOldServer(oldProgram(10))
  const eventsOf = async () => {
    const { programId } = await imported(old)
    await sweepClock({ db, now: () => app.clock.now })
    const events = await db.event.findMany({ where: { programId, subject: { not: 'api_key' } } })
    const types = [...new Set(events.map(({ type }) => type))].sort()
    return types.map((type) => [type, events.filter((event) => event.type === type).length])
  }
  expect((await runImport(old)).code).toBe(0)
  expect(await eventsOf()).toEqual([])

  const [affiliate] = old.lists.affiliates ?? []
  Object.assign(affiliate as object, { first_name: 'Augusta', updated_at: new Date().toISOString() })
  expect((await runImport(old, ['--events'])).code).toBe(0)
  expect(await eventsOf()).toEqual([['affiliate.updated', 1]])
})

it('with --events, a new program has an event of each record', async () => {
  const old = await startOldServer(oldProgram(10))
  const { code, output } = await runImport(old, ['--events'])
  expect(code, output).toBe(0)
  const { programId } = await imported(old)
  const count = (type: string) => db.event.count({ where: { programId, type } })
  const { affiliates = [], referrals = [], commissions = [], payouts = [] } = old.lists
  expect(await count('affiliate.created')).toBe(affiliates.length)
  expect(await count('affiliate_link.created')).toBe(affiliates.length)
  expect(await count('referral.created')).toBe(referrals.length)
  expect(await count('sale.created')).toBe(commissions.length)
  expect(await count('commission.created')).toBe(commissions.length)
  expect(payouts.length).toBeGreaterThan(0)
  expect(await count('payout.created')).toBe(await db.payout.count({ where: { programId } }))
})

it('continues after it was killed, with the same result', async () => {
  const old = await startOldServer(oldProgram(20), { pageSize: 10 })
  const child = startImport(old)
  await expect.poll(() => old.requests.length, { timeout: 30_000, interval: 5 }).toBeGreaterThan(20)
  child.process.kill('SIGKILL')
  await child.exited
  const before = old.requests.length
  const { code, output } = await runImport(old)
  expect(code, output).toBe(0)
  await expectSameProgram(old)
  const paths = old.requests.slice(before).map(({ path }) => new URL(path, 'http://x'))
  // Completed lists are not read again, except the campaigns, which every run reads first.
  expect(paths.some(({ pathname }) => pathname === '/v1/affiliates')).toBe(false)
})

it('changes nothing in a second run, and applies later changes of the source', async () => {
  const old = await startOldServer(oldProgram(12))
  expect((await runImport(old)).code).toBe(0)
  app.clock.advanceMinutes(5)
  expect((await runImport(old)).output).toMatch(/commissions +48 +48 +0 +0 +48 +0/)
  app.clock.advanceMinutes(5)
  const { affiliates = [], referrals = [], commissions = [], payouts = [] } = old.lists
  Object.assign(affiliates[0], { first_name: 'Renamed', state: 'suspicious' })
  const lead = referrals.find(({ conversion_state }) => conversion_state === 'visitor')
  Object.assign(lead, { conversion_state: 'lead', became_lead_at: '2026-03-09T00:00:00.000Z' })
  const due = commissions.find(({ state }) => state === 'due')
  const paidAt = '2026-03-09T10:00:00.000Z'
  Object.assign(due, { state: 'paid', paid_at: paidAt })
  const payout = { id: 'payout-new', state: 'paid', amount: due.amount, currency: 'USD', paid_at: paidAt }
  payouts.unshift({ ...payout, created_at: paidAt, affiliate: due.sale.affiliate, commissions: [{ id: due.id }] })
  const pending = commissions.filter(({ state }) => state === 'pending')
  Object.assign(pending[0], { state: 'voided', voided_at: paidAt })
  Object.assign(pending[1], { amount: 777 })
  const { code, output } = await runImport(old)
  expect(code, output).toBe(0)
  expect(output).toMatch(/commissions +48 +48 +0 +3 +45 +0/)
  await expectSameProgram(old)
})

it('writes nothing in a dry run and reports what a run would do', async () => {
  const old = await startOldServer(oldProgram(12))
  old.lists.affiliate_links?.push({ id: 'bad', affiliate_id: 'affiliate-00001', token: 'no blanks' })
  const counts = () =>
    Promise.all([db.program.count(), db.affiliate.count(), db.importedRecord.count(), db.import.count()])
  const before = await counts()
  const folder = await mkdtemp(join(tmpdir(), 'import-report-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const { code, output } = await runImport(old, ['--dry-run', '--json', join(folder, 'report.json')])
  const report = JSON.parse(await readFile(join(folder, 'report.json'), 'utf8'))
  expect(report).toMatchObject({
    dryRun: true,
    agrees: false,
    notes: [{ kind: 'AFFILIATE_LINK', externalIds: ['bad'] }],
  })
  expect(await counts()).toEqual(before)
  expect(code).toBe(1)
  expect(output).toMatch(/affiliates +12 +12 +0 +0 +0/)
  expect(output).toMatch(/commissions +48 +48 +0 +0 +0/)
  expect(output).toMatch(/links +13 +12 +0 +0 +1/)
  expect(output).toContain('1 links: Token may hold letters, digits and dashes, 1 to 100 of them. (bad)')
})

it('leaves out and reports a record with a problem, imports the others and exits with code 1', async () => {
  const old = await startOldServer(oldProgram(4))
  old.lists.affiliate_links?.push({ id: 'bad', affiliate_id: 'affiliate-00001', token: 'no blanks' })
  const { code, output } = await runImport(old)
  expect(code).toBe(1)
  expect(output).toContain('Left out:')
  expect(output).toContain('1 links: Token may hold letters, digits and dashes, 1 to 100 of them. (bad)')
  expect(output).toMatch(/commissions +16 +16 +16 +0 +0 +0/)
})

it('prints what is wrong and what to do, without a stack trace', async () => {
  const old = await startOldServer(oldProgram(1))
  const failures: [Promise<{ code: number | null; output: string }>, RegExp][] = [
    [runImport(old, ['--key', 'another']), /rejected the key \(401\)\. Check --key or IMPORT_KEY\.$/],
    [runImport(old, [], { IMPORT_KEY: '' }), /^--key is missing/],
    [runImport({ address: 'ftp://x' }), /^--from must be the address/],
    [runImport(old, [], { TRIBUTARY_URL: 'http://127.0.0.1:1' }), /^Cannot reach a server at/],
    [runImport(old, ['--program', 'x']), /^Program not found: x/],
    [runImport(old, ['--json', '/no/such/folder/report.json']), /^Cannot write the report to \/no\/such/],
    [runImport(old, ['--nonsense']), /^Unknown option '--nonsense'/],
  ]
  for (const [run, message] of failures) {
    const { code, output } = await run
    expect(output).toMatch(message)
    expect(output).not.toContain('    at ')
    expect(code).toBe(1)
  }
  old.next.push((response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('<h1>Hello</h1>'))
  expect((await runImport(old)).output).toMatch(/is not the API of an affiliate program\. Check --from/)
})

// The last test of the file, because it moves the clock.
it('records no event of referrals that expired before they were imported into a program that exists', async () => {
  const { slug } = await app.createProgram()
  app.clock.advanceDays(30)
  const old = await startOldServer(oldProgram(10))
  const visitors = (old.lists.referrals ?? []).filter(({ conversion_state: state }) => state === 'visitor')
  for (const [index, referral] of visitors.entries())
    referral.expires_at = new Date(app.clock.now.getTime() + (index < 6 ? -10 : 10) * 86_400_000).toISOString()
  const { code, output } = await runImport(old, ['--program', slug])
  expect(code, output).toBe(0)
  const { programId } = await imported(old)
  const told = async () => {
    await sweepClock({ db, now: () => app.clock.now })
    return db.event.count({ where: { programId, type: 'tributary.referral.expired' } })
  }
  expect(await told()).toBe(0)
  app.clock.advanceDays(11)
  expect(await told()).toBe(visitors.length - 6)
})
