import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PassThrough } from 'node:stream'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { confirmSlug } from '../../src/cli/confirm.ts'
import { reportResult } from '../../src/cli/report.ts'
import { resultText } from '../../src/cli/result-text.ts'
import { adminToken, createTestApp } from '../support/app.ts'
import { startChild } from '../support/data-directory.ts'
import { createAffiliate, createCampaign, createCoupon, listed, recordVisit } from '../support/factories.ts'
import { setUpOperator } from '../support/people.ts'

const app = await createTestApp()
const server = createServer(app.app.handle)
await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
afterAll(() => void server.close())
const { port } = server.address() as AddressInfo

/** Runs a command with pipes, as a script does. */
const run = (...args: string[]) =>
  startChild('src/cli/tributary.ts', args, {
    TRIBUTARY_URL: `http://127.0.0.1:${port}`,
    ADMIN_TOKEN: adminToken,
    NODE_ENV: '',
  }).exited
const json = async (...args: string[]) => {
  const { code, output } = await run(...args)
  expect([code, output]).toEqual([0, expect.stringMatching(/^[{].*[}]$/)])
  return JSON.parse(output)
}

const names = [
  ...[
    'start',
    'create-program',
    'list-programs',
    'update-program',
    'rotate-publishable-key',
    'advance-clock',
    'delete-program',
  ],
  ...['export-program', 'import-program', 'close-program', 'open-program', 'program-routes'],
  ...['create-key', 'update-key', 'list-keys', 'revoke-key', 'delete-link', 'delete-coupon', 'delete-campaign'],
  ...[
    'create-webhook',
    'list-webhooks',
    'rotate-webhook-secret',
    'delete-webhook',
    'list-deliveries',
    'replay',
    'listen',
  ],
  ...['create-operator', 'create-password-reset', 'import', 'doctor', 'backup', 'restore', 'move'],
  ...['status', 'reports', 'export', 'upgrade'],
]

describe('--help', () => {
  it('lists every command, and exits 0', async () => {
    const { code, output } = await run('--help')
    expect(code).toBe(0)
    for (const name of names) expect(output).toMatch(new RegExp(`^  ${name} `, 'm'))
  })

  it('of a command lists its options, and exits 0', async () => {
    for (const [name, option] of [
      ['create-key', '--access <access>'],
      ['delete-program', '--yes'],
      ['start', '--demo'],
    ] as const) {
      const { code, output } = await run(name, '--help')
      expect([code, output]).toEqual([0, expect.stringContaining(option)])
    }
  })
})

it('a mistake is named with what is probably meant', async () => {
  const [command, option, missing, access, blank] = await Promise.all([
    run('list-program'),
    run('create-key', '--progam', 'acme'),
    run('create-key', '--program', 'acme'),
    run('create-key', '--program', 'acme', '--name', 'x', '--access', 'REED'),
    run('create-key', '--program', '', '--name', 'x'),
  ])
  expect(command).toMatchObject({ code: 1, output: expect.stringContaining('Did you mean list-programs?') })
  expect(option).toMatchObject({ code: 1, output: expect.stringContaining('Did you mean --program?') })
  expect(missing).toMatchObject({ code: 1, output: expect.stringMatching(/^Required option '--name <name>'/) })
  expect(access).toMatchObject({ code: 1, output: expect.stringContaining('It must be READ or FULL.') })
  expect(blank).toMatchObject({ code: 1, output: expect.stringContaining('It is blank.') })
})

it('a program is created, named by its slug or its id, and deleted; a pipe gets JSON', async () => {
  const fields = ['--name', 'Blue Shop', '--url', 'https://blue.test', '--currency', 'usd', '--sandbox']
  const created = await json('create-program', ...fields)
  expect(created).toEqual({
    program: expect.objectContaining({ name: 'Blue Shop', slug: 'blue-shop', sandbox: true }),
    api_key: expect.objectContaining({ name: 'First key', secret: expect.stringMatching(/^trib_sk_/) }),
  })
  const { id } = created.program
  const bySlug = ['--program', 'blue-shop']
  expect((await json('create-key', ...bySlug, '--name', 'Reports', '--access', 'read')).api_key.access).toBe('READ')
  const { api_keys: keys } = await json('list-keys', '--program', id)
  expect(keys.map(({ name }: { name: string }) => name).sort()).toEqual(['First key', 'Reports'])
  expect((await json('advance-clock', ...bySlug, '--days', '30')).program.clock).toMatch(/^2026-04-09/)
  expect((await json('list-programs')).programs.map((program: { id: string }) => program.id)).toContain(id)

  const refused = await run('delete-program', ...bySlug)
  expect(refused).toEqual({
    code: 1,
    output:
      'This deletes the program "Blue Shop" with everything of it, for ever. Nothing was deleted. To confirm, add --yes.',
  })
  expect((await json('delete-program', ...bySlug, '--yes')).deleted_program).toMatchObject({ id, slug: 'blue-shop' })
  expect(await run('list-keys', ...bySlug)).toEqual({ code: 1, output: 'Program not found: blue-shop' })
})

it('a program is changed: what is not named stays, and mistakes are named', async () => {
  const { slug, id } = await app.createProgram()
  const change = (...fields: string[]) => run('update-program', '--program', slug, ...fields)
  expect(await change('--locale', 'german')).toEqual({ code: 1, output: expect.stringContaining('Locale') })
  expect(await change()).toEqual({ code: 1, output: 'Nothing to change. Name a new value, such as --name.' })
  const { program } = await json('update-program', '--program', id, '--locale', 'de-de', '--name', 'Blauer Laden')
  expect(program).toMatchObject({ id, slug, name: 'Blauer Laden', locale: 'de-DE', currency: 'usd' })
  expect((await json('list-programs')).programs).toContainEqual(program)
})

it('a password-reset link is printed for a person with an account', async () => {
  await setUpOperator(app, 'cli@example.com')
  const { url } = await json('create-password-reset', '--email', 'CLI@example.com')
  expect(url).toMatch(/\/dashboard\/password-reset#token=[\w-]{43}$/)
  expect(await run('create-password-reset', '--email', 'nobody@example.com')).toEqual({
    code: 1,
    output: 'Nobody has an account with this e-mail address.',
  })
})

describe('a link, a coupon or a campaign that was made by mistake', () => {
  it.each(['link', 'coupon', 'campaign'])(
    'delete-%s deletes it, and says that it is gone the second time',
    async (noun) => {
      const program = await app.createProgram()
      const { id: affiliateId, links } = await createAffiliate(program)
      const ids: Record<string, string> = {
        link: links[0].id,
        coupon: (await createCoupon(program, affiliateId)).id,
        campaign: (await createCampaign(program)).id,
      }
      const id = ids[noun] as string
      const command = [`delete-${noun}`, '--program', program.slug, '--id', id]
      expect(await json(...command)).toEqual({ [`deleted_${noun}`]: { id } })
      const paths = { link: '/affiliate_links', coupon: '/affiliate_coupons', campaign: '/campaigns' }
      const left = await listed(program, paths[noun as keyof typeof paths])
      expect(left.map((row) => row.id)).not.toContain(id)
      expect(await run(...command)).toEqual({ code: 1, output: expect.stringContaining(`not found: ${id}`) })
    },
  )

  it('is not deleted while it is in use, nor with the program of another', async () => {
    const [program, another] = [await app.createProgram(), await app.createProgram()]
    const { links } = await createAffiliate(program)
    await recordVisit(program, links[0].token)
    const { id } = links[0]
    expect(await run('delete-link', '--program', program.slug, '--id', id)).toEqual({
      code: 1,
      output: expect.stringContaining('1 referral'),
    })
    expect(await run('delete-link', '--program', another.slug, '--id', id)).toEqual({
      code: 1,
      output: `Affiliate link not found: ${id}`,
    })
    expect(await listed(program, '/affiliate_links')).toHaveLength(1)
  })
})

it('without a terminal, and with --json on a terminal, a result is JSON; else it is text', async () => {
  const print = vi.spyOn(console, 'log').mockImplementation(() => {})
  const { isTTY } = process.stdout
  const result = async () => ({ programs: [{ slug: 'acme', sandbox: false }] })
  try {
    process.stdout.isTTY = true
    await reportResult({}, result)
    await reportResult({ json: true }, result)
    process.stdout.isTTY = false
    await reportResult({}, result)
    const expected = '{"programs":[{"slug":"acme","sandbox":false}]}'
    expect(print.mock.calls.flat()).toEqual(['slug  sandbox\nacme  false', expected, expected])
  } finally {
    process.stdout.isTTY = isTTY
    print.mockRestore()
  }
})

describe('the text of a result', () => {
  it('has a table for a list, and a line for each field of a record', () => {
    const keys = [
      { id: 'k1', name: 'Billing', last_used_at: null },
      { id: 'k2', name: 'R\u001b[31m', last_used_at: '2026-03-10' },
    ]
    expect(resultText({ api_keys: keys })).toBe(
      ['id  name     last_used_at', 'k1  Billing  -', 'k2  R\ufffd[31m   2026-03-10'].join('\n'),
    )
    expect(resultText({ program: { id: 'p1', publishable_key: 'trib_pk_x' }, api_key: { id: 'k1' } })).toBe(
      'Program\n  id               p1\n  publishable_key  trib_pk_x\n\nApi key\n  id  k1',
    )
    expect(resultText({ api_keys: [] })).toBe('No api keys.')
  })
})

describe('the question before a program is deleted', () => {
  const ask = async (answer: string | null) => {
    const input = Object.assign(new PassThrough(), { isTTY: true })
    const asked = confirmSlug('This deletes it.', 'acme', { input, output: new PassThrough().resume() })
    if (answer === null) input.end()
    else input.write(`${answer}\n`)
    return asked
  }

  it('is answered by the slug', async () => expect(await ask(' acme ')).toBeUndefined())

  it.each(['yes', '', null])('is not answered by %j', (answer) =>
    expect(ask(answer)).rejects.toThrow('That is not the slug. Nothing was deleted.'),
  )
})

it('status says how the installation is, and what waits for a person', async () => {
  const program = await app.createProgram()
  const before = await json('status')
  expect(before).toMatchObject({
    installation: { version: expect.stringMatching(/^\d+\./), newer_version: null, programs: expect.any(Number) },
    database: { bytes: expect.any(Number), version: expect.stringMatching(/^\d+/) },
    queues: { webhook_lag_seconds: expect.any(Number), mails: expect.any(Number) },
  })
  expect(before.database.bytes).toBeGreaterThan(1_000_000)
  expect(before).not.toHaveProperty('backups')
  const { status } = await program.post('/conversions', { external_id: 'in_1', amount_cents: 100, coupon: 'NOBODY' })
  expect(status).toBe(422)
  const after = await json('status')
  const { unattributed_sales: waiting } = before.waiting_for_a_person
  expect(after.waiting_for_a_person).toEqual({ ...before.waiting_for_a_person, unattributed_sales: waiting + 1 })
})
