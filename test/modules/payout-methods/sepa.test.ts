import { describe, expect, it } from 'vitest'
import type { Program } from '../../../src/generated/prisma/client.ts'
import { fileEnd, fileStart, transfers } from '../../../src/modules/payout-methods/sepa/transfers.ts'
import type { PayoutWithCampaign } from '../../../src/modules/payouts/skip.ts'

// The schema itself may not be in this repository. These are its rules for the elements that a file has: their order, how often they
// may occur, and their types. Source: ISO 20022, Message Definition Report "Payments Initiation", pain.001.001.09. Files of this code
// were also validated against the published schema, by libxml2, in November 2026.

type Rule = RegExp | { [child: string]: Rule }

const text = (most: number) => new RegExp(`^[A-Za-z0-9/?:().,'+ -]{1,${most}}$`)
const number = /^\d{1,15}$/
const sum = /^\d{1,16}(\.\d{1,2})?$/
const party = (name = text(70)): Rule => ({ 'Nm?': name })
const account: Rule = { Id: { IBAN: /^[A-Z]{2}\d{2}[A-Za-z0-9]{1,30}$/ } }
const agent: Rule = {
  FinInstnId: { 'BICFI?': /^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$/, 'Othr?': { Id: text(35) } },
}

/** `?` is at most once, `+` at least once, other elements exactly once. */
const document: Rule = {
  Document: {
    CstmrCdtTrfInitn: {
      GrpHdr: {
        MsgId: text(35),
        CreDtTm: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/,
        NbOfTxs: number,
        'CtrlSum?': sum,
        InitgPty: party(),
      },
      'PmtInf+': {
        PmtInfId: text(35),
        PmtMtd: /^TRF$/,
        'BtchBookg?': /^(true|false)$/,
        'NbOfTxs?': number,
        'CtrlSum?': sum,
        'PmtTpInf?': { 'SvcLvl?': { Cd: text(4) } },
        ReqdExctnDt: { Dt: /^\d{4}-\d\d-\d\d$/ },
        Dbtr: party(),
        DbtrAcct: account,
        DbtrAgt: agent,
        'ChrgBr?': /^(DEBT|CRED|SHAR|SLEV)$/,
        'CdtTrfTxInf+': {
          PmtId: { EndToEndId: text(35) },
          Amt: { InstdAmt: /^\d{1,9}\.\d\d$/ },
          'CdtrAgt?': agent,
          'Cdtr?': party(),
          'CdtrAcct?': account,
          'RmtInf?': { 'Ustrd?': text(140) },
        },
      },
    },
  },
}

type Element = { name: string; text: string; children: Element[] }

function parse(xml: string): Element {
  const root: Element = { name: '', text: '', children: [] }
  const open = [root]
  for (const [, end, name, content] of xml.replace(/^<\?.*\?>/, '').matchAll(/<(\/?)(\w+)[^>]*>([^<]*)/g)) {
    if (end) open.pop()
    else {
      const element = { name: name as string, text: content as string, children: [] }
      open.at(-1)?.children.push(element)
      open.push(element)
    }
  }
  expect(open).toEqual([root])
  return root
}

/** What of the element breaks the rule, in words. */
function problemsOf({ name, text: value, children }: Element, rule: Rule): string[] {
  if (rule instanceof RegExp) return rule.test(value) && children.length === 0 ? [] : [`${name} is "${value}"`]
  const rest = [...children]
  const problems = Object.entries(rule).flatMap(([key, childRule]) => {
    const [, child, often] = key.match(/^(\w+)([?+]?)$/) as RegExpMatchArray
    const found: Element[] = []
    while (rest[0]?.name === child && (often === '+' || found.length === 0)) found.push(rest.shift() as Element)
    const isMissing = found.length === 0 && often !== '?'
    return [...(isMissing ? [`${name} has no ${child}`] : []), ...found.flatMap((one) => problemsOf(one, childRule))]
  })
  return [...problems, ...rest.map((one) => `${one.name} is not expected in ${name}`)]
}

const id = (n: number) => `01988b2c-0000-7000-8000-${String(n).padStart(12, '0')}`
const program = {
  name: 'Acme & Söhne <GmbH>',
  debtorName: null,
  debtorIban: 'DE89370400440532013000',
  debtorBic: null,
} as Program
const payout = (n: number, affiliate: object = {}, amountCents = 1n) =>
  ({
    id: id(n),
    amountCents,
    affiliate: {
      firstName: 'Zoë',
      lastName: 'Ånström',
      iban: 'FR1420041010050500013M02606',
      bic: null,
      ...affiliate,
    },
  }) as PayoutWithCampaign

function fileOf(payouts: PayoutWithCampaign[], payer = program): string {
  const amountCents = payouts.reduce((total, one) => total + one.amountCents, 0n)
  const run = { id: id(99), createdAt: new Date('2026-03-10T12:00:00Z'), count: payouts.length, amountCents }
  return fileStart(run, payer) + transfers(payouts, payer) + fileEnd
}

describe('a SEPA file', () => {
  it('follows the rules of pain.001.001.09, whatever the names and amounts are', () => {
    const payouts = [
      payout(1, { lastName: '"O\'Neil" <b>&amp; 漢字\n'.repeat(20) }),
      payout(2, { bic: 'COBADEFFXXX', firstName: null, lastName: 'B' }, 99_999_999_999n),
      payout(3, { firstName: '漢', lastName: null, bic: 'SOGEFRPP' }, 1_005n),
    ]
    for (const payer of [program, { ...program, debtorName: 'x'.repeat(100), debtorBic: 'COBADEFFXXX' }])
      expect(problemsOf(parse(fileOf(payouts, payer)), document)).toEqual([])
  })

  it('has names of all scripts in letters that banks accept', () => {
    const names = ['Strauß Øster', 'Łukasz Żak', 'Γεώργιος', 'Иван', 'Zoë Ånström']
    const xml = fileOf(names.map((lastName, n) => payout(n, { firstName: null, lastName })))
    expect(xml.match(/<Cdtr><Nm>[^<]+/g)?.map((found) => found.slice(10))).toEqual([
      ...['Strauss Oster', 'Lukasz Zak', 'Georgios', 'Ivan', 'Zoe Anstrom'],
    ])
  })

  it('has the sum and the number of its transfers, twice', () => {
    const xml = fileOf([payout(1, {}, 1_005n), payout(2, {}, 250n)])
    expect(xml.match(/<NbOfTxs>2</g)).toHaveLength(2)
    expect(xml.match(/<CtrlSum>12\.55</g)).toHaveLength(2)
    expect(xml.match(/<InstdAmt Ccy="EUR">[\d.]+/g)).toEqual(['<InstdAmt Ccy="EUR">10.05', '<InstdAmt Ccy="EUR">2.50'])
  })

  it('would be found out of order, incomplete or too long', () => {
    const xml = fileOf([payout(1)])
    const broken = [
      xml.replace(/(<Dbtr>.*?<\/Dbtr>)(<DbtrAcct>.*?<\/DbtrAcct>)/, '$2$1'),
      xml.replace(/<EndToEndId>.*?<\/EndToEndId>/, ''),
      xml.replace(/<Ustrd>/, `<Ustrd>${'x'.repeat(140)}`),
    ]
    expect(broken.map((file) => problemsOf(parse(file), document)[0])).toEqual([
      'PmtInf has no Dbtr',
      'PmtId has no EndToEndId',
      expect.stringMatching(/^Ustrd is "x/),
    ])
  })
})
