import { describe, expect, it } from 'vitest'
import { createTestApp, type TestProgram } from '../../../support/app.ts'
import { earner, runsOf } from '../../../support/payout-runs.ts'

const app = await createTestApp()

const change = (program: TestProgram, fields: object) =>
  app.operator('mutation ($input: UpdateProgramInput!) { updateProgram(input: $input) { program { id } } }', {
    input: { id: program.id, ...fields },
  })

const iban = 'DE89 3704 0044 0532 0130 00'

describe('the file of a run', () => {
  it('for SEPA is a pain.001.001.09 with one transfer for each payout', async () => {
    const program = await app.createProgram({ currency: 'eur' })
    await expect(runsOf(program).create({ method: 'SEPA' })).rejects.toThrow('no account to pay from')
    await change(program, { debtorName: 'Acme & Söhne', debtorIban: iban, debtorBic: 'COBADEFFXXX' })
    const bank = { first_name: 'Zoë', last_name: 'Ånström', iban: 'FR14 2004 1010 0505 0001 3M02 606' }
    const { payout } = await earner(program, bank, { currency: 'eur' })
    await earner(program, { first_name: 'No', last_name: 'Bank' }, { currency: 'eur' })
    const run = await runsOf(program).create({ method: 'SEPA' })
    expect(run).toMatchObject({ payouts: 1, amountCents: 1_000, skipped: [{ reason: 'NO_IBAN' }] })
    const xml: string = run.file.content
    expect(run.file.name).toBe('payouts-eur-2026-03-10-sepa.xml')
    const elements = [...xml.matchAll(/<(\w+)[^>]*>([^<\n]+)</g)].map(([, name, text]) => `${name} ${text}`)
    expect(elements).toEqual([
      `MsgId ${run.id.replaceAll('-', '')}`,
      'CreDtTm 2026-03-10T12:00:00.000Z',
      'NbOfTxs 1',
      'CtrlSum 10.00',
      'Nm Acme . Sohne',
      `PmtInfId ${run.id.replaceAll('-', '')}`,
      'PmtMtd TRF',
      'BtchBookg true',
      'NbOfTxs 1',
      'CtrlSum 10.00',
      'Cd SEPA',
      'Dt 2026-03-10',
      'Nm Acme . Sohne',
      'IBAN DE89370400440532013000',
      'BICFI COBADEFFXXX',
      'ChrgBr SLEV',
      `EndToEndId ${payout.id.replaceAll('-', '')}`,
      'InstdAmt 10.00',
      'Nm Zoe Anstrom',
      'IBAN FR1420041010050500013M02606',
      'Ustrd Acme: affiliate payout',
    ])
    expect(
      xml.startsWith(
        '<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09">',
      ),
    ).toBe(true)
  })

  it('for SEPA leaves out what is above the most that a transfer can be', async () => {
    const program = await app.createProgram({ currency: 'eur' })
    await change(program, { debtorIban: iban })
    const bank = { first_name: 'Ada', iban }
    const most = 99_999_999_999
    await earner(program, bank, { currency: 'eur', amount_cents: most * 10 })
    await earner(program, bank, { currency: 'eur', amount_cents: (most + 1) * 10 })
    const run = await runsOf(program).create({ method: 'SEPA' })
    expect(run).toMatchObject({ payouts: 1, amountCents: most, skipped: [{ reason: 'TOO_LARGE' }] })
    expect(run.file.content).toContain('>999999999.99<')
  })

  it('as CSV has the byte-order mark and the decimal mark of the program', async () => {
    const program = await app.createProgram()
    await earner(program)
    await change(program, { hasPayoutFileMark: true, payoutFileDecimalMark: 'COMMA' })
    const { file } = await runsOf(program).create({ method: 'PAYPAL' })
    expect(file.content).toMatch(/^\uFEFFada@a\.test,"10,00",USD,/)
  })

  it('for PayPal has no row of 0: less than half a unit of HUF or TWD is left out', async () => {
    const program = await app.createProgram()
    for (const [currency, amount] of [
      ['huf', 490],
      ['huf', 500],
      ['twd', 400],
    ] as const)
      await earner(program, undefined, { currency, amount_cents: amount })
    const huf = await runsOf(program).create({ method: 'PAYPAL', currency: 'huf' })
    expect(huf).toMatchObject({ payouts: 1, amountCents: 100, skipped: [{ reason: 'NOTHING_TO_PAY' }] })
    expect(huf.file.content).toMatch(/^ada@a\.test,1,HUF,\w+,[^\n]*\n$/)
    await expect(runsOf(program).create({ method: 'PAYPAL', currency: 'twd' })).rejects.toThrow('1 NOTHING_TO_PAY')
  })

  it('for Wise names a business, and a person without further knowledge', async () => {
    const program = await app.createProgram()
    const details = { first_name: 'Ada', wallet_b_email: 'ada@b.test' }
    await earner(program, { ...details, recipient_type: 'business' })
    await earner(program, details)
    const { file } = await runsOf(program).create({ method: 'WISE' })
    expect(file.content.split('\r\n').map((line: string) => line.split(',')[3])).toEqual([
      'receiverType',
      'BUSINESS',
      'PERSON',
      undefined,
    ])
  })

  it('needs a valid IBAN and BIC', async () => {
    const program = await app.createProgram()
    const answer = await program.post('/affiliates', {
      email: 'ada@example.com',
      iban: 'DE89370400440532013001',
      bic: 'COBAXXFFXXX',
    })
    expect([answer.status, answer.body.details]).toEqual([422, ['Iban is not a valid IBAN', 'Bic is not a valid BIC']])
  })
})
