import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, expect, it } from 'vitest'
import { parse } from 'yaml'
import { adminToken, createTestApp } from '../support/app.ts'
import { startChild } from '../support/data-directory.ts'
import { createSeller, reportSale } from '../support/factories.ts'

const app = await createTestApp()
const server = createServer(app.app.handle)
await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
const folder = await mkdtemp(join(tmpdir(), 'tributary-rules-'))
afterAll(async () => {
  server.close()
  await rm(folder, { recursive: true })
})
const { port } = server.address() as AddressInfo
const file = join(folder, 'rules.yaml')

const run = (...args: string[]) =>
  startChild('src/cli/tributary.ts', ['rules', ...args], {
    TRIBUTARY_URL: `http://127.0.0.1:${port}`,
    ADMIN_TOKEN: adminToken,
    NODE_ENV: '',
  }).exited

it('rules are exported, planned, applied and reverted as a file', async () => {
  const program = await app.createProgram()
  const { campaign, affiliate, coupon } = await createSeller(program, { name: 'Launch' })
  await reportSale(program, { coupon, amount_cents: 10_000 })
  app.clock.advanceDays(1)
  const of = ['--program', program.slug]
  expect((await run('export', ...of)).output).toContain('campaigns: []')

  const rules = `campaigns:
  - campaign: Launch
    rules:
      - name: Ada's deal
        conditions:
          affiliateIds: [${affiliate.id}]
          billingIntervals: [ONE_OFF]
        reward: { percent: 130 }
        confirmAboveAll: true
        appliesTo: ALL_SALES
      - name: Everybody
        reward: { percent: 20 }
        appliesTo: ALL_SALES
        maxCommissions: 12
`
  await writeFile(file, rules)
  const planned = await run('plan', file, ...of)
  expect(planned.code).toBe(2)
  expect(JSON.parse(planned.output).plan).toMatchObject({
    sales: 1,
    changed_sales: 1,
    changes: [{ kind: 'CREATED', name: "Ada's deal" }, { name: 'Everybody' }],
    largest_changes: [{ why_after: expect.stringContaining('The rule "Everybody" applies.') }],
  })
  const applied = await run('apply', file, ...of)
  expect([applied.code, JSON.parse(applied.output)]).toEqual([
    0,
    { changed_campaigns: [{ id: campaign.id, name: 'Launch' }] },
  ])
  app.clock.advanceDays(1)
  // Rules that the file leaves out would end.
  await program.graphql('mutation ($id: ID!) { archiveCampaign(input: { id: $id }) { campaign { id } } }', campaign)

  const exported = (await run('export', ...of)).output
  expect(exported).toContain(`program: ${program.slug}\n`)
  expect(exported).toContain(`campaign: ${campaign.id} # Launch`)
  const schema = await (await app.app.fetch(new Request(`http://localhost:${port}/docs/rules.schema.json`))).json()
  const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(schema as object)
  expect([validate(parse(exported)), validate.errors]).toEqual([true, null])
  await writeFile(file, exported)
  // The file names its program, whatever others there are.
  await app.createProgram()
  expect((await run('plan', file)).code).toBe(0)
  expect((await run('apply', file)).code).toBe(0)

  expect((await run('revert', ...of)).code).toBe(0)
  expect((await run('export', ...of)).output).toContain('campaigns: []')
})

it('a mistake in a file is reported with its line, and nothing is changed', async () => {
  const program = await app.createProgram()
  await createSeller(program, { name: 'Launch' })
  const rule = (more: string) => `campaigns:
  - campaign: Launch
    rules:
      - name: All
        appliesTo: ALL_SALES
${more}`
  const cases = {
    'campaigns:\n  - [': `${file}:2: `,
    'program: 2026\ncampaigns: []\n': `${file}:1: "program" must be text: put it in quotes.`,
    [rule('        rewards: { percent: 1 }\n')]: `${file}:6: There is no field "rewards".`,
    [rule('        reward: { percent: 300 }\n')]: `${file}:6: Percent must be at most 100, unless the rule has`,
    [rule('        reward: { percent: 3000 }\n        confirmAboveAll: true\n')]:
      `${file}:6: Percent must be a number from 0 to 1000`,
    [rule('        reward: { percent: 3 }\n        conditions:\n          affiliateIds:\n            - nobody\n')]:
      `${file}:9: Affiliate not found: nobody`,
    [rule('        reward: { percent: 3 }\n        conditions:\n          productIds: [plan_*]\n')]:
      `${file}:8: No sale has the product plan_*.`,
    'campaigns:\n  - campaign: Winter\n    rules: []\n': `${file}:2: The program has no such campaign: Winter`,
  }
  for (const [text, message] of Object.entries(cases)) {
    await writeFile(file, text)
    const { code, output } = await run('plan', file, '--program', program.slug)
    expect([code, output]).toEqual([1, expect.stringContaining(message)])
  }
  expect((await run('apply', file, '--program', program.slug)).code).toBe(1)
  expect(await app.database.db.commissionRuleVersion.count({ where: { programId: program.id } })).toBe(0)
})

it('a file of rules that is too large is refused before it is read', async () => {
  const large = join(folder, 'large.yaml')
  await writeFile(large, `campaigns: [${'{},'.repeat(1_000_000)}]`)
  expect(await run('plan', large)).toEqual({
    code: 1,
    output: expect.stringContaining('has 2.9 MiB. A file of rules can have 1.0 MiB.'),
  })
})

it('a saved plan is applied by its id, and refused with what differs once the file or the rules have changed', async () => {
  const program = await app.createProgram()
  await createSeller(program, { name: 'Launch' })
  const of = ['--program', program.slug]
  const rulesAt = (percent: number) =>
    `campaigns:\n  - campaign: Launch\n    rules:\n      - name: Everybody\n        reward: { percent: ${percent} }\n        appliesTo: ALL_SALES\n`
  const reviewed = join(folder, 'reviewed.yaml')
  await writeFile(reviewed, rulesAt(20))
  const planned = await run('plan', reviewed, '--save', ...of)
  const { plan_id: id } = JSON.parse(planned.output).plan

  await writeFile(reviewed, rulesAt(40))
  const changed = await run('apply', reviewed, '--plan', id, ...of)
  expect(changed.code).toBe(1)
  expect(changed.output).toContain('Everybody: reward was {"percent":20}, and is {"percent":40}')
  expect((await run('export', ...of)).output).toContain('campaigns: []')

  await writeFile(reviewed, rulesAt(20))
  expect(await run('apply', '--plan', id, ...of)).toMatchObject({
    code: 1,
    output: expect.stringContaining('Name its file'),
  })
  expect(await run('apply', reviewed, '--plan', id, ...of)).toMatchObject({ code: 0 })
  expect((await run('export', ...of)).output).toContain('percent: 20')

  const again = await run('apply', reviewed, '--plan', id, ...of)
  expect(again.code).toBe(1)
  expect(again.output).toContain('The rules of the program have changed since.')
})
