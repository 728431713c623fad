import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { centsOf, plainAmount, timeOf, tokenOf } from '../../../src/cli/import/exports/cell-values.ts'
import { createExportSource, type ExportOptions } from '../../../src/cli/import/exports/source.ts'
import { importProgram } from '../../../src/cli/import/run.ts'
import { createTarget, type Operate } from '../../../src/cli/import/target.ts'
import { createTestApp, type TestProgram } from '../../support/app.ts'

const test = await createTestApp()
const quiet = { begin() {}, advance() {}, end() {}, notify() {} }

const tolt = {
  affiliates: `id,first_name,last_name,email,company_name,status,value,created_at
part_1,Ada,Lovelace,Ada@Partner.test,Engines Ltd,active,ada,2026-01-02T10:00:00Z
part_2,Bob,Babbage,bob@partner.test,,active,bob-b,2026-01-03T10:00:00Z
`,
  referrals: `id,customer_id,email,name,status,partner_id,created_at
cust_1,cus_A1,mia@shop.test,Mia,active,part_1,2026-01-10T08:00:00Z
cust_2,,leo@shop.test,Leo,lead,part_2,2026-01-11T08:00:00Z
`,
  commissions: `id,amount,revenue,currency,status,charge_id,customer_id,partner_id,payout_id,created_at
comm_1,980,4900,usd,paid,ch_1,cust_1,part_1,pay_1,2026-01-10T09:00:00Z
comm_2,980,4900,usd,approved,ch_2,cust_1,part_1,,2026-02-10T09:00:00Z
comm_3,980,4900,usd,pending,ch_3,cust_1,part_1,,2026-03-01T09:00:00Z
comm_4,500,2500,usd,refunded,ch_4,cust_1,part_1,,2026-02-20T09:00:00Z
`,
  payouts: `id,partner_id,amount,currency,status,paid_at,created_at
pay_1,part_1,980,usd,paid,2026-02-05T12:00:00Z,2026-02-01T12:00:00Z
`,
}

const firstPromoter = {
  affiliates: `\uFEFF"ID";"Promoter Email";"Name";"Ref ID";"Coupon";"State";"Created At"
101;cleo@fp.test;Cleo Cat;https://acme.test/?fpr=cleo;CLEO10;active;2026-01-05 09:30:00 UTC
102;dan@fp.test;"Dan ""The Man"" Day";dan;;inactive;Jan 6, 2026
`,
  referrals: `Email;UID;State;Promoter Email;Created At;Customer Since
zoe@shop.test;cus_Z;active;CLEO@fp.test;2026-01-20 10:00:00 UTC;2026-01-21 10:00:00 UTC
`,
  commissions: `ID;Status;Is Paid;Amount;Sale Amount;Unit;Event ID;Promoter Email;Referral Email;Created At
9001;approved;true;$14.70;$49.00;cash;ch_fp1;cleo@fp.test;zoe@shop.test;2026-01-21 10:00:00 UTC
9002;approved;false;14.70;49.00;cash;ch_fp2;cleo@fp.test;zoe@shop.test;2026-02-21 10:00:00 UTC
9003;denied;false;14.70;49.00;cash;ch_fp3;cleo@fp.test;zoe@shop.test;2026-02-22 10:00:00 UTC
9004;approved;false;1;0;free_months;ch_fp4;cleo@fp.test;zoe@shop.test;2026-02-23 10:00:00 UTC
`,
  payouts: `Promoter Email;Amount;Status;Paid At
cleo@fp.test;14.70;completed;2026-02-03 08:00:00 UTC
`,
}

type Files = Record<string, string | Buffer>

async function sourceOf(
  service: 'tolt' | 'firstpromoter',
  files: Files,
  program: TestProgram,
  more: Partial<ExportOptions> = {},
) {
  const folder = mkdtempSync(join(tmpdir(), 'exports-'))
  const paths = Object.entries(files).map(([list, csv]) => {
    const path = join(folder, `${list}.csv`)
    writeFileSync(path, csv)
    return [list, path]
  })
  const { program: facts } = await program.graphql('{ program { id url currency } }')
  return createExportSource({
    service,
    files: Object.fromEntries(paths),
    program: facts,
    commissionPercent: 20,
    notify() {},
    ...more,
  })
}

async function importFiles(
  service: 'tolt' | 'firstpromoter',
  files: Files,
  program: TestProgram,
  more: Partial<ExportOptions> = {},
) {
  const source = await sourceOf(service, files, program, more)
  const target = createTarget(test.operator as Operate, source.address)
  return importProgram(source, target, quiet, { programId: program.id, restart: true })
}

const read = async (program: TestProgram) => {
  const { affiliates, commissions, payouts, referrals } = await program.graphql(`{
    affiliates(first: 50) { nodes { email firstName lastName state links { nodes { token } } coupons { nodes { token } } } }
    commissions(first: 50) { nodes { amountCents state sale { externalId amountCents } affiliate { email } } }
    payouts(first: 50) { nodes { amountCents state paidAt affiliate { email } } }
    referrals(first: 50) { nodes { conversionState customer { email } affiliate { email } } } }`)
  return {
    affiliates: affiliates.nodes
      .map(({ links, coupons, ...one }: any) => ({
        ...one,
        links: links.nodes.map(({ token }: any) => token),
        coupons: coupons.nodes.map(({ token }: any) => token),
      }))
      .sort((a: any, b: any) => a.email.localeCompare(b.email)),
    commissions: Object.fromEntries(
      commissions.nodes.map(({ amountCents, state, sale, affiliate }: any) => [
        sale.externalId,
        `${affiliate.email} ${amountCents} of ${sale.amountCents} ${state}`,
      ]),
    ),
    payouts: payouts.nodes.map(({ amountCents, state, paidAt, affiliate }: any) =>
      [affiliate.email, amountCents, state, paidAt?.slice(0, 10) ?? '-'].join(' '),
    ),
    referrals: referrals.nodes
      .map(({ conversionState, customer, affiliate }: any) =>
        [affiliate.email, customer?.email, conversionState].join(' '),
      )
      .sort(),
  }
}

it('the exports of Tolt become affiliates, links, customers, commissions and payouts, once', async () => {
  const program = await test.createProgram()
  const first = await importFiles('tolt', tolt, program, { unit: 'cents' })
  expect(first.report.notes.filter(({ isLeftOut }) => isLeftOut)).toEqual([])
  const expected = {
    affiliates: [
      {
        email: 'Ada@Partner.test',
        firstName: 'Ada',
        lastName: 'Lovelace',
        state: 'ACTIVE',
        links: ['ada'],
        coupons: [],
      },
      {
        email: 'bob@partner.test',
        firstName: 'Bob',
        lastName: 'Babbage',
        state: 'ACTIVE',
        links: ['bob-b'],
        coupons: [],
      },
    ],
    commissions: {
      ch_1: 'Ada@Partner.test 980 of 4900 PAID',
      ch_2: 'Ada@Partner.test 980 of 4900 DUE',
      ch_3: 'Ada@Partner.test 980 of 4900 PENDING',
      ch_4: 'Ada@Partner.test 500 of 2500 VOID',
    },
    payouts: ['Ada@Partner.test 980 PAID 2026-02-05', 'Ada@Partner.test 980 PENDING -'],
    referrals: ['Ada@Partner.test mia@shop.test CONVERSION', 'bob@partner.test leo@shop.test LEAD'],
  }
  const found = await read(program)
  expect({ ...found, payouts: found.payouts.sort() }).toEqual(expected)
  await importFiles('tolt', tolt, program, { unit: 'cents' })
  const again = await read(program)
  expect({ ...again, payouts: again.payouts.sort() }).toEqual(expected)
  // A later export has what changed.
  const later = tolt.commissions.replace('pending,ch_3', 'rejected,ch_3')
  await importFiles('tolt', { ...tolt, commissions: later }, program, { unit: 'cents' })
  expect((await read(program)).commissions.ch_3).toBe('Ada@Partner.test 980 of 4900 VOID')
})

it('the exports of FirstPromoter are read as spreadsheets write them, and rewards that are no money are left out', async () => {
  const program = await test.createProgram()
  const said: string[] = []
  await importFiles('firstpromoter', firstPromoter, program, { notify: (sentence) => said.push(sentence) })
  expect(said).toEqual(['commissions.csv, line 5: left out, because its unit is free_months'])
  const found = await read(program)
  expect(found).toEqual({
    affiliates: [
      {
        email: 'cleo@fp.test',
        firstName: 'Cleo',
        lastName: 'Cat',
        state: 'ACTIVE',
        links: ['cleo'],
        coupons: ['CLEO10'],
      },
      {
        email: 'dan@fp.test',
        firstName: 'Dan',
        lastName: '"The Man" Day',
        state: 'DISABLED',
        links: ['dan'],
        coupons: [],
      },
    ],
    commissions: {
      ch_fp1: 'cleo@fp.test 1470 of 4900 PAID',
      ch_fp2: 'cleo@fp.test 1470 of 4900 DUE',
      ch_fp3: 'cleo@fp.test 1470 of 4900 VOID',
    },
    payouts: expect.arrayContaining(['cleo@fp.test 1470 PAID 2026-02-03', 'cleo@fp.test 1470 PENDING -']),
    referrals: ['cleo@fp.test zoe@shop.test CONVERSION'],
  })
  await importFiles('firstpromoter', firstPromoter, program)
  expect((await read(program)).commissions).toEqual(found.commissions)
})

it('lines that cannot be used stop the import before it begins, each with its number', async () => {
  const program = await test.createProgram()
  const commissions = `id,amount,status,partner_id,created_at
comm_1,9.80,paid,part_9,2026-01-10
comm_2,much,approved,part_1,2026-01-10

comm_3,9.801,approved,part_1,2026-01-10
comm_4,9.80,lost,part_1,03/04/2026
`
  await expect(importFiles('tolt', { ...tolt, commissions }, program)).rejects.toThrow(
    [
      'Nothing was imported. Correct these lines, or remove them:',
      'commissions.csv, line 2: no affiliate "part_9" is in the file of affiliates.',
      'commissions.csv, line 3: "much" is no amount in units of USD.',
      'commissions.csv, line 5: "9.801" is no amount in units of USD.',
      'commissions.csv, line 6: "03/04/2026" is no time. Write 2026-01-31 or 2026-01-31T12:00:00Z.',
      'commissions.csv, line 6: the status "lost" is unknown. It can be pending, approved, unpaid, paid, rejected, denied, declined, refunded.',
    ].join('\n'),
  )
  expect((await read(program)).affiliates).toEqual([])
})

describe('a file that cannot be used says why', () => {
  it.each([
    ['no file', { affiliates: undefined }, 'cannot be read'],
    ['an empty file', { affiliates: '' }, 'affiliates.csv is empty.'],
    ['a file without addresses', { affiliates: 'id,name\n1,Ada\n' }, 'affiliates.csv has no column for the email.'],
    ['quotes that do not end', { affiliates: 'email\n"ada@x.test\n' }, 'affiliates.csv is not valid CSV'],
    ['amounts that can be both', { commissions: tolt.commissions }, 'Say --amounts units or --amounts cents.'],
  ])('%s', async (_name, files, message) => {
    const program = await test.createProgram()
    const given = { affiliates: tolt.affiliates, ...files }
    const isGone = given.affiliates === undefined
    const source = isGone
      ? createExportSource({
          service: 'tolt',
          files: { affiliates: '/nowhere/affiliates.csv' },
          program: { id: program.id, url: 'https://acme.test', currency: 'usd' },
          commissionPercent: 20,
          notify() {},
        })
      : sourceOf('tolt', given as Files, program)
    await expect(source).rejects.toThrow(message)
  })
})

it.each([
  ['$1,234.50', '1234.50', 123_450],
  ['12,5', '12.5', 1_250],
  ['USD 7', '7', 700],
  ['-3.10', '-3.10', -310],
  ['1.2.3', null, null],
  ['', null, null],
])('the amount %s', (text, plain, cents) => {
  expect(plainAmount(text)).toBe(plain)
  expect(centsOf(text, 'usd', 'units')).toBe(cents)
})

it('amounts of currencies with other decimals, times and links', () => {
  expect([centsOf('500', 'jpy', 'units'), centsOf('1.234', 'kwd', 'units'), centsOf('5.5', 'jpy', 'units')]).toEqual([
    500,
    1_234,
    null,
  ])
  expect([
    timeOf('2026-01-31'),
    timeOf('2026-01-31 10:00:00 +0100'),
    timeOf('Feb 3, 2026'),
    timeOf('31/01/2026'),
  ]).toEqual(['2026-01-31T00:00:00.000Z', '2026-01-31T09:00:00.000Z', '2026-02-03T00:00:00.000Z', null])
  expect([tokenOf('ada'), tokenOf('https://acme.test/?via=ada'), tokenOf('https://acme.test/r/ada')]).toEqual([
    'ada',
    'ada',
    'ada',
  ])
})

it('links keep the tokens that the service allowed, and files of Excel are read', async () => {
  const program = await test.createProgram()
  const header = 'ID;Promoter Email;Name;Ref Token;State'
  const tokens = ['john_doe', 'j.doe', 'john+doe', 'jürgen', 'ada']
  const lines = tokens.map((token, index) => `${index};jürgen${index}@fp.test;Jürgen Müller;${token};active`)
  const affiliates = [header, ...lines].join('\r\n')
  const { affiliates: made } = await (async () => {
    const report = await importFiles('firstpromoter', { affiliates: Buffer.from(affiliates, 'latin1') }, program)
    expect(report).toBeDefined()
    return read(program)
  })()
  expect(made.map(({ email, lastName, links }: any) => [email, lastName, links])).toEqual(
    tokens.map((token, index) => [`jürgen${index}@fp.test`, 'Müller', [token]]),
  )
  const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(affiliates, 'utf16le')])
  const other = await test.createProgram()
  await importFiles('firstpromoter', { affiliates: utf16 }, other)
  expect((await read(other)).affiliates).toHaveLength(5)
  const workbook = Buffer.from([0x50, 0x4b, 0x03, 0x04, 0x00, 0x00])
  await expect(importFiles('firstpromoter', { affiliates: workbook }, other)).rejects.toThrow('It is no text file')
})
