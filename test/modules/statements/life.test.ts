import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compactVerify, importJWK } from 'jose'
import { afterAll, describe, expect, it } from 'vitest'
import { statementsIn, verifyStatements } from '../../../clients/verifier/src/index.ts'
import { closeDueMonths } from '../../../src/modules/statements/close-due.ts'
import { createTestApp, restClient, testKey } from '../../support/app.ts'
import { silentLog } from '../../support/database.ts'
import { createAffiliate, createCoupon, createSeller, reportSale } from '../../support/factories.ts'
import { brief, closeMonth, type ReadStatement } from '../../support/statements.ts'

const test = await createTestApp({ startsAt: '2026-11-10T12:00:00.000Z' })
const folder = await mkdtemp(join(tmpdir(), 'statements-'))
afterAll(() => rm(folder, { recursive: true }))
const until = (time: string) => test.clock.advanceMinutes((Date.parse(time) - test.clock.now.getTime()) / 60_000)
const get = (path: string) => test.app.fetch(new Request(`http://localhost:4000${path}`))
const readKeys = async () => (await (await get('/.well-known/jwks.json')).json()) as { keys: any[] }
const verify = async (...statements: ReadStatement[]) =>
  verifyStatements(
    statementsIn(
      'file',
      statements.map(({ json }) => JSON.parse(json)),
    ),
    await readKeys(),
  )

const program = await test.createProgram({ timeZone: 'Europe/Berlin' })
const { affiliate, coupon } = await createSeller(program, { days_before_commissions_are_due: 0 })
await program.graphql(
  'mutation ($id: ID!) { updateAffiliate(input: { id: $id, firstName: "Grace", lastName: "Hopper" }) { affiliate { id } } }',
  { id: affiliate.id },
)
await reportSale(program, { coupon, external_id: 'n1', amount_cents: 4_900 })
// 23:30 of November in UTC is December in Berlin.
until('2026-11-30T23:30:00.000Z')
await reportSale(program, { coupon, external_id: 'd1', amount_cents: 5_000 })
const [november] = (await closeMonth(program, '2026-11')) as [ReadStatement]
const rotated = await program.graphql('mutation { rotateStatementKey(input: { reason: "Yearly" }) { keyId } }')
until('2027-01-05T12:00:00.000Z')
await reportSale(program, { coupon, external_id: 'd2', amount_cents: 6_000, occurred_at: '2026-12-30T12:00:00Z' })
const [december] = (await closeMonth(program, '2026-12')) as [ReadStatement]
until('2027-02-01T12:00:00.000Z')
const [january] = (await closeMonth(program, '2027-01')) as [ReadStatement]

describe('statements of some months', () => {
  it('follow the time zone of the program, and book a late sale in the month of its report', () => {
    expect([november, december, january].map(brief)).toEqual([
      [['commission', 490]],
      [['commission', 500]],
      [['commission', 600]],
    ])
    expect(january.lines[0]).toMatchObject({ month: '2026-12', bookedAt: '2027-01-05T12:00:00.000Z' })
  })

  it('verify in a row although the key was rotated between them', async () => {
    const report = await verify(november, december, january)
    expect(report.findings).toEqual([])
    expect(new Set(report.statements.map(({ keyId }) => keyId)).size).toBe(2)
    expect(report.statements[1]?.keyId).toBe(rotated.rotateStatementKey.keyId)
    expect(report.statements[0]?.affiliateName).toBe('Grace Hopper')
  })

  it('have a seal that a library for JWS verifies with the published key', async () => {
    const { keys } = await readKeys()
    const { seal } = JSON.parse(november.json)
    const kid = JSON.parse(Buffer.from(seal.split('.')[0], 'base64url').toString()).kid
    const key = await importJWK(
      keys.find((one) => one.kid === kid),
      'EdDSA',
    )
    const { payload } = await compactVerify(seal, key)
    expect(JSON.parse(Buffer.from(payload).toString())).toMatchObject({
      month: '2026-11',
      statements: 1,
      previous: null,
    })
  })

  it('tell a webhook endpoint of the signed month', async () => {
    const { events } = await program.graphql(
      '{ events(first: 10, where: { type: { equals: "statements.closed" } }) { nodes { data } } }',
    )
    expect(events.nodes.map(({ data }: any) => data.month)).toEqual(['2027-01', '2026-12', '2026-11'])
    expect(events.nodes[2].data).toMatchObject({ root: expect.stringMatching(/^[0-9a-f]{64}$/), count: 1 })
  })

  it('are listed and read over REST by keys of the superset', async () => {
    const { createApiKey } = await test.operator(
      'mutation ($id: ID!) { createApiKey(input: { programId: $id, name: "S", profile: SUPERSET }) { secret } }',
      { id: program.id },
    )
    const rest = restClient(test.app.fetch, { Authorization: `Bearer ${createApiKey.secret}` })
    const { body } = await rest.get(`/statements?affiliate_id=${affiliate.id}&month=2026-12`)
    expect(body.data).toMatchObject([{ id: december.id, object: 'statement', opening: 490, closing: 990 }])
    expect((await rest.get(`/statements/${december.id}`)).body).toMatchObject({
      hash: december.hash,
      lines: [{ kind: 'commission', amount: 500 }],
    })
    expect((await rest.get(`/statements/${december.id}.json`)).body).toEqual(JSON.parse(december.json))
    expect((await program.get('/statements')).status).toBe(404)
  })

  it('are read by the affiliate, and by no other', async () => {
    const tokenOf = async (id: string) =>
      (
        await program.graphql('mutation ($id: ID!) { createAffiliateToken(input: { affiliateId: $id }) { token } }', {
          id,
        })
      ).createAffiliateToken.token
    const ask = async (id: string) => {
      const response = await test.app.fetch(
        new Request('http://localhost:4000/graphql', {
          method: 'POST',
          headers: { Authorization: `Bearer ${await tokenOf(id)}`, 'Content-Type': 'application/json' },
          body: JSON.stringify({ query: '{ me { statements(first: 9) { nodes { id json lines { text } } } } }' }),
        }),
      )
      return (await response.json()) as any
    }
    const own = await ask(affiliate.id)
    expect(own.data.me.statements.nodes.map(({ id }: any) => id)).toEqual([january.id, december.id, november.id])
    const other = await createAffiliate(program)
    expect((await ask(other.id)).data.me.statements.nodes).toEqual([])
  })

  it('verify with the command, which names the line that is wrong', async () => {
    const write = async (name: string, content: string) => {
      await writeFile(join(folder, name), content)
      return join(folder, name)
    }
    const keys = await write('jwks.json', JSON.stringify(await readKeys()))
    const good = [await write('11.json', november.json), await write('12.json', december.json)]
    const bad = await write('bad.json', december.json.replace('"amountCents":"500"', '"amountCents":"501"'))
    const run = (...files: string[]) =>
      new Promise<{ code: number; out: string }>((done) => {
        const args = ['--import', 'tsx', 'src/cli/tributary.ts', 'verify', ...files, '--keys', keys]
        execFile(process.execPath, args, (error, stdout, stderr) =>
          done({ code: (error?.code as unknown as number) ?? 0, out: stdout + stderr }),
        )
      })
    const [first, second] = [await run(...good), await run(bad)]
    expect(first).toMatchObject({ code: 0, out: expect.stringContaining('10 % of 4900 = 490, rounded: 490') })
    expect(second).toMatchObject({ code: 1, out: expect.stringContaining('bad.json, line 1: ') })
  })

  it('still verify when the affiliate is erased, without the name', async () => {
    await test.operator(
      'mutation ($email: EmailAddress!) { erasePerson(input: { email: $email, openMoney: KEEP }) { erasedAffiliateId } }',
      { email: affiliate.email },
      { 'X-Program-Id': program.id },
    )
    const { statement } = await program.graphql('query ($id: ID!) { statement(id: $id) { json } }', { id: november.id })
    expect(statement.json).not.toContain('Grace')
    const report = await verify({ ...november, json: statement.json }, december)
    expect(report.findings).toEqual([])
    expect(report.statements[0]).toMatchObject({ affiliateName: null, erasedTexts: 2 })
  })
})

describe('closing without a person', () => {
  it('waits the days that the program says, and closes all months that are over', async () => {
    const own = await test.createProgram()
    const seller = await createSeller(own)
    await test.operator(
      'mutation ($id: ID!) { updateProgram(input: { id: $id, closesMonthsAfterDays: 3 }) { program { closesMonthsAfterDays } } }',
      { id: own.id },
    )
    await reportSale(own, { coupon: seller.coupon })
    const months = async () =>
      (await own.graphql('{ statementMonths { month statementCount } }')).statementMonths.map(({ month }: any) => month)
    const close = () =>
      closeDueMonths({ db: test.database.db, now: () => test.clock.now, log: silentLog, key: testKey })
    until('2027-03-03T23:00:00.000Z')
    await close()
    expect(await months()).toEqual([])
    until('2027-04-04T00:00:00.000Z')
    await close()
    expect(await months()).toEqual(['2027-03', '2027-02'])
  })
})

describe('a commission that is given to another affiliate', () => {
  it('leaves one statement and comes into the other', async () => {
    const own = await test.createProgram()
    const { campaign, affiliate: ada, coupon: code } = await createSeller(own)
    const bob = await createAffiliate(own, { campaign_id: campaign.id })
    await createCoupon(own, bob.id)
    const { sale_id: saleId, ...reported } = await reportSale(own, { coupon: code, external_id: 'm' })
    until('2027-05-01T00:00:00.000Z')
    const [april] = (await closeMonth(own, '2027-04')) as [ReadStatement]
    expect(brief(april)).toEqual([['commission', 1_000]])
    await own.graphql(
      'mutation ($sale: ID!, $to: ID!) { changeSale(input: { id: $sale, affiliateId: $to, reason: "Mixed up" }) { sale { id } } }',
      { sale: saleId ?? reported.id, to: bob.id },
    )
    until('2027-06-01T00:00:00.000Z')
    const may = await closeMonth(own, '2027-05')
    const of = (id: string) => may.find(({ affiliateId }) => affiliateId === id) as ReadStatement
    expect(brief(of(ada.id))).toEqual([['moved_away', -1_000]])
    expect(brief(of(bob.id))).toEqual([['moved_here', 1_000]])
    const report = await verifyStatements(
      statementsIn(
        'f',
        may.map(({ json }) => JSON.parse(json)),
      ),
      await readKeys(),
    )
    expect(report.findings).toEqual([])
  })
})

describe('/verify', () => {
  it('is one page that may load and send nothing', async () => {
    const response = await get('/verify')
    const html = await response.text()
    expect(response.status).toBe(200)
    expect(Buffer.byteLength(html)).toBeLessThan(150_000)
    const policy = response.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("connect-src 'none'")
    const scripts = [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, text]) => text as string)
    expect(scripts).toHaveLength(1)
    const hash = createHash('sha256')
      .update(scripts[0] as string)
      .digest('base64')
    expect(policy).toContain(`'sha256-${hash}'`)
    expect(html).not.toMatch(/https?:\/\//)
  })
})
