import { describe, expect, it } from 'vitest'
import { createTestApp, type TestProgram } from '../../support/app.ts'
import { createAffiliate, createCampaign, createCoupon, listed } from '../../support/factories.ts'

const app = await createTestApp()
const query = `mutation ($input: ImportAffiliatesInput!) {
  importAffiliates(input: $input) {
    dryRun created skipped failed
    lines { line outcome affiliate { id email firstName campaign { name } links { nodes { token } } coupon { token } } problems { field message } }
  }
}`
const run = async (program: TestProgram, csv: string, more: object = {}) =>
  (await program.graphql(query, { input: { csv, ...more } })).importAffiliates
const outcomes = ({ lines }: any) => lines.map(({ line, outcome }: any) => `${line} ${outcome}`)
const refusal = (program: TestProgram, csv: string): Promise<string[]> =>
  run(program, csv).then(
    () => expect.unreachable('it was not refused'),
    ({ errors: [{ extensions }] }) => {
      for (const { path } of extensions.problems) expect(path).toEqual(['input', 'csv'])
      return extensions.problems.map(({ message }: any) => message)
    },
  )

const good = [
  'email,first_name,last_name,token,paypal_email,wise_email,billing_customer_id,coupon,campaign',
  'ada@example.com,Ada,Lovelace,,ada@wallet.test,,cus_1,ADA20,Partners',
  'grace@example.com,Grace,Hopper,grace,,,,,',
].join('\n')

describe('importAffiliates', () => {
  it('creates the affiliates of a file, with links and coupons, in the order of the file', async () => {
    const program = await app.createProgram()
    const { id } = await createCampaign(program, { name: 'Partners' })
    const report = await run(program, `${good}\nbob@example.com,,,,,,,,${id}\n`)
    expect(report).toMatchObject({ dryRun: false, created: 3, skipped: 0, failed: 0 })
    expect(outcomes(report)).toEqual(['2 CREATED', '3 CREATED', '4 CREATED'])
    const ada = {
      firstName: 'Ada',
      campaign: { name: 'Partners' },
      links: { nodes: [{ token: 'ada-lovelace' }] },
      coupon: { token: 'ADA20' },
    }
    expect(report.lines[0].affiliate).toMatchObject({ email: 'ada@example.com', ...ada })
    expect(report.lines[1].affiliate).toMatchObject({
      campaign: { name: 'Default' },
      links: { nodes: [{ token: 'grace' }] },
      coupon: null,
    })
    expect(report.lines[2].affiliate).toMatchObject({ campaign: { name: 'Partners' } })
    const { body } = await program.get(`/affiliates/${report.lines[0].affiliate.id}`)
    expect(body).toMatchObject({ wallet_a_email: 'ada@wallet.test', billing_customer_id: 'cus_1', state: 'active' })
  })

  it('gives an affiliate all the coupons of a line, divided by semicolons', async () => {
    const program = await app.createProgram()
    const report = await run(program, 'email,coupon\nada@example.com,ADA10; ADA20;\nbob@example.com,bob?1;ada20\n')
    expect(report.lines[1].problems.map(({ message }: any) => message)).toEqual([
      expect.stringContaining('Coupon may hold letters'),
      'Coupon is already in use.',
    ])
    const done = await run(program, 'email,coupon\nada@example.com,ADA10; ADA20;\n')
    const { body } = await program.get(`/affiliate_coupons?affiliate_id=${done.lines[0].affiliate.id}`)
    expect(body.data.map(({ token }: any) => token)).toEqual(['ADA20', 'ADA10'])
    expect(done.lines[0].affiliate.coupon).toEqual({ token: 'ADA10' })
  })

  it('changes nothing when the file is imported a second time', async () => {
    const program = await app.createProgram()
    await createCampaign(program, { name: 'Partners' })
    await run(program, good)
    const before = await listed(program, '/affiliates')
    const again = await run(program, good.replace('Ada,', 'Changed,').replace('ada@', 'ADA@'))
    expect(again).toMatchObject({ created: 0, skipped: 2, failed: 0 })
    expect(again.lines[0]).toMatchObject({ outcome: 'SKIPPED', affiliate: { firstName: 'Ada' } })
    expect(await listed(program, '/affiliates')).toEqual(before)
  })

  it('puts new and existing affiliates into the groups of their line', async () => {
    const program = await app.createProgram()
    const known = await createAffiliate(program, { email: 'known@example.com' })
    for (const name of ['Partners', 'VIP'])
      await program.graphql(
        'mutation ($name: String!) { createAffiliateGroup(input: { name: $name }) { __typename } }',
        { name },
      )
    const csv = 'email,groups\nknown@example.com,vip\nnew@example.com,"Partners; VIP"\nnone@example.com,\n'
    const groups = async () => {
      const { affiliates } = await program.graphql('{ affiliates { nodes { email groups { name } } } }')
      return Object.fromEntries(
        affiliates.nodes.map(({ email, groups: own }: any) => [email, own.map(({ name }: any) => name)]),
      )
    }
    await run(program, csv, { dryRun: true })
    expect(await groups()).toEqual({ 'known@example.com': [] })
    for (const created of [2, 0]) {
      expect(await run(program, csv)).toMatchObject({ created, skipped: 3 - created, failed: 0 })
      expect(await groups()).toEqual({
        'known@example.com': ['VIP'],
        'new@example.com': ['Partners', 'VIP'],
        'none@example.com': [],
      })
    }
    const wrong = await run(program, 'email,groups\nknown@example.com,Nobodies\n')
    expect(wrong.lines).toMatchObject([
      { outcome: 'INVALID', problems: [{ field: 'groups', message: 'Group not found: Nobodies. Create it first.' }] },
    ])
    expect(known.id).toBe(wrong.lines[0].affiliate.id)
  })

  it('returns the same report for a dry run and writes nothing', async () => {
    const program = await app.createProgram()
    await createCampaign(program, { name: 'Partners' })
    const dry = await run(program, good, { dryRun: true })
    expect(dry).toMatchObject({ dryRun: true, created: 2, lines: [{ affiliate: null }, { affiliate: null }] })
    expect([await listed(program, '/affiliates'), await listed(program, '/affiliate_coupons')]).toEqual([[], []])
    expect(outcomes(await run(program, good))).toEqual(outcomes(dry))
  })

  it('reports every problem of every line, and creates nothing', async () => {
    const program = await app.createProgram()
    const known = await createAffiliate(program, { email: 'known@example.com', token: 'known' })
    await createCoupon(program, known.id, 'USED')
    await createCampaign(program, { name: 'Twice' })
    await createCampaign(program, { name: 'twice' })
    const csv = [
      'email,token,coupon,campaign,first_name',
      'known@example.com,known,USED,,',
      'fine@example.com,,,,',
      'nobody,no token,used,Nowhere,',
      ',KNOWN,a/b,Twice,',
      'fine@EXAMPLE.com,twin,TWIN,,',
      'b@example.com,TWIN,twin,,,,,one too many',
    ].join('\r\n')
    for (const dryRun of [true, false]) {
      const report = await run(program, csv, { dryRun })
      expect(report).toMatchObject({ created: 0, skipped: 1, failed: 4 })
      expect(outcomes(report)).toEqual([
        '2 SKIPPED',
        '3 NOT_CREATED',
        '4 INVALID',
        '5 INVALID',
        '6 INVALID',
        '7 INVALID',
      ])
      const problems = report.lines.map(({ problems: found }: any) =>
        found.map(({ field, message }: any) => `${field}: ${message}`),
      )
      expect(problems).toEqual([
        [],
        [],
        [
          'email: Email is not a valid e-mail address',
          'token: Token may hold letters, digits and dashes, 1 to 100 of them',
          'campaign: Campaign not found.',
          'coupon: Coupon is already in use.',
        ],
        [
          "email: Email can't be blank",
          'token: Token is already in use.',
          'campaign: Campaign is the name of several campaigns: give an id instead',
          'coupon: Coupon may hold letters, digits, - _ . % + and single blanks between them, 1 to 100 of them',
        ],
        ['email: Email has already been taken'],
        [
          'null: The line has 8 values, but the header has 5 columns.',
          'token: Token is already in use.',
          'coupon: Coupon is already in use.',
        ],
      ])
      expect(await listed(program, '/affiliates')).toHaveLength(1)
    }
  })

  it('reports text that cannot be stored, in any column', async () => {
    const program = await app.createProgram()
    const columns = good.split('\n')[0] as string
    for (const column of columns.split(',')) {
      const values: Record<string, string> = { email: 'eve@example.com', [column]: 'e\u0000@example.com' }
      const line = columns.split(',').map((each) => values[each] ?? '')
      const { failed, lines } = await run(program, `${columns}\n${line}`)
      expect(failed).toBe(1)
      expect(lines[0].problems).toMatchObject([{ field: column }])
    }
  })

  it("reads files as spreadsheets write them, and reports the file's own line numbers", async () => {
    const program = await app.createProgram()
    const csv =
      '\ufeffEmail;First_Name ;last_name\r\n\r\na@example.com;"Ada; the ""first""";"two\r\nlines"\r\n;;\r\nb@example.com\r\n'
    const report = await run(program, csv)
    expect(outcomes(report)).toEqual(['3 CREATED', '6 CREATED'])
    expect(report.lines[0].affiliate.firstName).toBe('Ada; the "first"')
  })

  it.each([
    ['a line that names the separator', 'sep=;\r\nEmail;First Name\r\n{email};Ada, the first', 'Ada, the first'],
    ['that line in quotes, after a byte order mark', '\ufeff"sep=;"\nE-Mail;firstname\n\n{email};Ada', 'Ada'],
    ['tabs', 'Email Address\tFirst Name\tCoupon Code\n{email}\tAda; B\t', 'Ada; B'],
    ['semicolons in a quoted header', '"Email","First-Name"\n{email},"Ada; B"', 'Ada; B'],
    ['names in one word', 'EmailAddress,firstName,PayPalEmail,walletBEmail\n{email},Ada,w@x.test,', 'Ada'],
    ['hyphens, stars and colons', '"E-mail *",Forename:,PayPal E-mail address\n{email},Ada,w@x.test', 'Ada'],
    ['headers in capitals', 'EMAIL,FIRST_NAME,LAST NAME\n{email},Ada,', 'Ada'],
    [
      'the names of the convention',
      'email,first_name,paypal_email,wise_email,stripe_customer_id\n{email},Ada,w@x.test,,cus_1',
      'Ada',
    ],
  ])('reads a file with %s', async (_what, csv, firstName) => {
    const program = await app.createProgram()
    const report = await run(program, csv.replace('{email}', 'ada@example.com'))
    expect(report).toMatchObject({ created: 1, failed: 0 })
    expect(report.lines[0].line).toBe(csv.split('\n').length)
    expect(report.lines[0].affiliate).toMatchObject({ email: 'ada@example.com', firstName })
    const { body } = await program.get(`/affiliates/${report.lines[0].affiliate.id}`)
    if (csv.includes('paypal')) expect(body).toMatchObject({ wallet_a_email: 'w@x.test', billing_customer_id: 'cus_1' })
  })

  it.each([
    [
      'first_name\nAda',
      ['The column "email" is missing.', expect.stringContaining('columns can be email, first_name')],
    ],
    [
      'email,colour,email\nx,y,z',
      [
        'Unknown column: "colour".',
        'Duplicate column: "email".',
        expect.stringContaining('columns can be email, first_name'),
      ],
    ],
    ['email\n"ada@example.com', [expect.stringContaining('The file is not valid CSV: Quote Not Closed')]],
    [' \n', ["Csv can't be blank"]],
    [`email\n${'x\n'.repeat(2_001)}`, [expect.stringContaining('at most 2000 can be imported at once')]],
  ])('rejects a file that cannot be read as a whole, with the reason (%#)', async (csv, problems) => {
    expect(await refusal(await app.createProgram(), csv)).toEqual(problems)
  })

  it.each([
    ['a header', ','.repeat(300)],
    ['a line', `email,first_name\na@example.com${','.repeat(300)}\n`],
    ['a line after a wrong one', `email\n,,\n${','.repeat(300)}a\n`],
  ])('refuses a file as a whole with more columns than people need: %s', async (_name, csv) => {
    const program = await app.createProgram()
    expect(await refusal(program, csv)).toEqual([
      expect.stringMatching(/^Line \d has 30\d values, but a file can have 256 columns/),
    ])
  })

  it('imports nothing from a file with only a header', async () => {
    expect(await run(await app.createProgram(), 'email\n')).toMatchObject({ created: 0, failed: 0, lines: [] })
  })

  it('imports a thousand lines at once', async () => {
    const program = await app.createProgram()
    const lines = Array.from({ length: 1_000 }, (_, index) => `a${index}@example.com,Ada,CODE-${index}`)
    const small = query.replace(/lines \{.*\}/, 'lines { outcome }')
    const input = { csv: `email,first_name,coupon\n${lines.join('\n')}` }
    const { importAffiliates } = await program.graphql(small, { input })
    expect(importAffiliates.created).toBe(1_000)
    expect((await program.get('/affiliate_coupons?limit=1')).body.pagination.total_count).toBe(1_000)
  })
})
