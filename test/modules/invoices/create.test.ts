import { beforeEach, describe, expect, it } from 'vitest'
import { createTestApp, type TestProgram } from '../../support/app.ts'
import { createSeller, reportSale } from '../../support/factories.ts'
import {
  accept,
  acme,
  agreedSeller,
  cancel,
  createInvoices,
  german,
  ownClient,
  setUpInvoices,
  sign,
} from '../../support/invoices.ts'
import { closeMonth } from '../../support/statements.ts'

const test = await createTestApp({ startsAt: '2026-10-10T12:00:00.000Z' })

let program: TestProgram
let month: string

/** Each test has a program of its own, in a month of its own. */
beforeEach(async () => {
  program = await test.createProgram({ currency: 'eur', timeZone: 'Europe/Berlin' })
  month = test.clock.now.toISOString().slice(0, 7)
})

const nextMonth = () => {
  const now = test.clock.now
  const to = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 10, 12)
  test.clock.advanceMinutes((to - now.getTime()) / 60_000)
}

const sell = (coupon: string, external_id: string, amount_cents = 10_000) =>
  reportSale(program, { coupon, external_id, amount_cents, currency: 'eur' })

const refund = (externalId: string) =>
  program.graphql('mutation ($id: String!) { refundSale(input: { externalId: $id }) { refund { id } } }', {
    id: externalId,
  })

async function closeNext() {
  nextMonth()
  const closed = month
  month = test.clock.now.toISOString().slice(0, 7)
  await closeMonth(program, closed)
  return closed
}

const openCents = async (id: string) =>
  (
    await program.graphql(
      'query ($id: ID!) { affiliate(id: $id) { commissions { nodes { kind amountCents reason } } } }',
      { id },
    )
  ).affiliate.commissions.nodes

describe('an invoice', () => {
  it('is made of what a closed month earned, with both parties, and value added tax as a fact of its own', async () => {
    await setUpInvoices(program, { numberPrefix: 'AFF-' })
    const { affiliate, coupon } = await agreedSeller(test, program)
    await sell(coupon, 's1')
    await sell(coupon, 's2', 5_550)
    const closed = await closeNext()
    const { invoices, missing } = await createInvoices(program, closed)
    const year = test.clock.now.getUTCFullYear()
    expect(invoices).toMatchObject([
      {
        number: `AFF-${year}-0001`,
        kind: 'INVOICE',
        month: closed,
        issuedOn: test.clock.now.toISOString().slice(0, 10),
        currency: 'eur',
        netCents: 1_555,
        // 19 % of 15.55 is 2.9545
        vatCents: 295,
        grossCents: 1_850,
        net: { amountCents: 1_555, currency: 'eur' },
        gross: { formatted: '18.50 EUR' },
        vatTreatment: 'DOMESTIC',
        vatBasisPoints: 1_900,
        supplier: { name: 'Ada Lovelace GmbH', street: 'Nebenstr. 5', vatId: 'DE129273398' },
        buyer: { name: 'Acme GmbH', vatId: 'DE136695976', country: 'DE' },
        lines: [{ kind: 'commission', count: 2, amountCents: 1_555 }],
        notes: ['Gutschrift'],
        agreementVersion: 1,
        correctsId: null,
        isCancelled: false,
        affiliateId: affiliate.id,
      },
    ])
    expect(missing).toEqual({ readyCount: 0, waitingCount: 0, waiting: [] })
    expect(await openCents(affiliate.id)).toMatchObject([
      { kind: 'CORRECTION', amountCents: 295, reason: `Value added tax of AFF-${year}-0001` },
      { kind: 'SALE', amountCents: 555 },
      { kind: 'SALE', amountCents: 1_000 },
    ])
    // The tax is on the next statement, and not on the next invoice.
    await sell(coupon, 's3', 1_000)
    const next = await createInvoices(program, await closeNext())
    expect(next.invoices).toMatchObject([{ netCents: 100, vatCents: 19, lines: [{ kind: 'commission', count: 1 }] }])
  })

  it('is made once, and lists who has to agree or to sign first', async () => {
    await setUpInvoices(program)
    const ada = await agreedSeller(test, program)
    const bob = await createSeller(program)
    const eve = await createSeller(program)
    const own = ownClient(test, program, eve.affiliate.id)
    await accept(own)
    for (const [index, { coupon }] of [ada, bob, eve].entries()) await sell(coupon, `s${index}`)
    const closed = await closeNext()
    const first = await createInvoices(program, closed)
    expect(first.invoices).toHaveLength(1)
    expect(first.missing).toEqual({
      readyCount: 0,
      waitingCount: 2,
      waiting: [
        { reason: 'NO_AGREEMENT', affiliateId: bob.affiliate.id },
        { reason: 'NO_TAX_PROFILE', affiliateId: eve.affiliate.id },
      ],
    })
    await sign(own)
    const query = 'query ($month: String!) { missingInvoices(month: $month) { readyCount waitingCount } }'
    expect((await program.graphql(query, { month: closed })).missingInvoices).toEqual({
      readyCount: 1,
      waitingCount: 1,
    })
    const again = await createInvoices(program, closed)
    expect(again.invoices[0]).toEqual(first.invoices[0])
    expect(again.invoices.map(({ number }) => number.slice(-4))).toEqual(['0001', '0002'])
  })

  it('waits for an agreement to a new version of the text', async () => {
    await setUpInvoices(program)
    const { affiliate, own, coupon } = await agreedSeller(test, program)
    await sell(coupon, 's1')
    const closed = await closeNext()
    const publish = (text: string) =>
      program.graphql('mutation ($text: String!) { publishSelfBilling(input: { text: $text }) { version } }', { text })
    expect((await publish('Acme writes the invoices.')).publishSelfBilling.version).toBe(1)
    expect((await publish('Another text.')).publishSelfBilling.version).toBe(2)
    expect((await createInvoices(program, closed)).missing.waiting).toEqual([
      { reason: 'NEW_VERSION', affiliateId: affiliate.id },
    ])
    await expect(accept(own, 1)).rejects.toThrow('must be 2, which holds now')
    expect((await accept(own, 2)).acceptSelfBilling.affiliate.selfBilling).toEqual({
      version: 2,
      isAgreed: true,
      agreedAt: test.clock.now.toISOString(),
      signedName: 'Ada Lovelace',
      agreedVersion: 2,
    })
    expect((await createInvoices(program, closed)).invoices).toMatchObject([{ agreementVersion: 2 }])
  })

  it('is refused without the company, without a text, and before the month is closed', async () => {
    await agreedTexts()
    await expect(createInvoices(program, month)).rejects.toThrow('is not closed')
    const closed = await closeNext()
    await expect(createInvoices(program, closed)).rejects.toThrow('names the company that pays')
    const { payerName, payerStreet, payerCity, payerCountry } = acme
    await program.graphql(
      'mutation ($tax: UpdateTaxSettingsInput!) { updateTaxSettings(input: $tax) { taxSettings { payerName } } }',
      {
        tax: { payerName, payerStreet, payerCity, payerCountry },
      },
    )
    await expect(createInvoices(program, closed)).rejects.toThrow('publishSelfBilling')
  })

  const agreedTexts = async () => {
    const { coupon } = await createSeller(program)
    await sell(coupon, 's1')
  }
})

describe('corrections', () => {
  it('a month of a negative sum is a credit note that refers to the invoice, and takes its tax back', async () => {
    await setUpInvoices(program)
    const { affiliate, coupon } = await agreedSeller(test, program)
    await sell(coupon, 's1')
    await createInvoices(program, await closeNext())
    await refund('s1')
    const closed = await closeNext()
    const { invoices } = await createInvoices(program, closed)
    const year = test.clock.now.getUTCFullYear()
    expect(invoices).toMatchObject([
      {
        kind: 'CREDIT_NOTE',
        netCents: -1_000,
        vatCents: -190,
        grossCents: -1_190,
        isCancellation: false,
        lines: [{ amountCents: -1_000 }],
      },
    ])
    expect(invoices[0]?.corrects.number).toMatch(/-0001$/)
    expect(invoices[0]?.number.startsWith(`${year}-`)).toBe(true)
    const vat = (await openCents(affiliate.id)).filter(({ kind }: any) => kind === 'CORRECTION')
    expect(vat.map(({ amountCents }: any) => amountCents)).toEqual([-190, 190])
  })

  it('a person cancels an invoice with a reason, once, and it can be made again for its affiliate', async () => {
    await setUpInvoices(program)
    const { affiliate, coupon, own } = await agreedSeller(test, program)
    await sell(coupon, 's1')
    const closed = await closeNext()
    const [invoice] = (await createInvoices(program, closed)).invoices
    const note = await cancel(program, invoice?.id as string)
    expect(note).toMatchObject({
      kind: 'CREDIT_NOTE',
      netCents: -1_000,
      vatCents: -190,
      isCancellation: true,
      reason: 'Wrong address',
      corrects: { number: invoice?.number },
      notes: ['Gutschrift'],
    })
    expect(await cancel(program, invoice?.id as string, 'Again')).toEqual(note)
    await expect(cancel(program, note.id)).rejects.toThrow('is a credit note')
    expect((await createInvoices(program, closed)).missing.waiting).toMatchObject([{ reason: 'CANCELLED' }])
    await sign(own, { ...german, street: 'Neue Str. 7' })
    const made = (await createInvoices(program, closed, affiliate.id)).invoices
    expect(made.map(({ kind, netCents, isCancelled }) => [kind, netCents, isCancelled])).toEqual([
      ['INVOICE', 1_000, true],
      ['CREDIT_NOTE', -1_000, false],
      ['INVOICE', 1_000, false],
    ])
    expect(made.at(-1)?.supplier.street).toBe('Neue Str. 7')
  })

  it('a negative month without an invoice is not made', async () => {
    await setUpInvoices(program)
    const { coupon } = await agreedSeller(test, program)
    await sell(coupon, 's1')
    await closeNext()
    await refund('s1')
    const { invoices, missing } = await createInvoices(program, await closeNext())
    expect([invoices, missing.waiting.map(({ reason }: any) => reason)]).toEqual([[], ['NOTHING_TO_CORRECT']])
  })
})

describe('what is issued', () => {
  it('cannot be changed or removed in the database', async () => {
    await setUpInvoices(program)
    const { coupon } = await agreedSeller(test, program)
    await sell(coupon, 's1')
    await createInvoices(program, await closeNext())
    const { db } = test.database
    await expect(db.$executeRaw`update invoices set net_cents = 1`).rejects.toThrow('cannot be changed')
    await expect(db.$executeRaw`delete from invoices`).rejects.toThrow('cannot be changed')
    await expect(db.$executeRaw`update self_billing_versions set text = 'x'`).rejects.toThrow('history')
    await expect(db.$executeRaw`delete from self_billing_agreements`).rejects.toThrow('history')
  })

  it.each(['x', '01980f3e-8c00-7000-8000-000000000001'])('are not made of an unknown affiliate %s', async (id) => {
    await setUpInvoices(program)
    const { coupon } = await agreedSeller(test, program)
    await sell(coupon, 's1')
    await expect(createInvoices(program, await closeNext(), id)).rejects.toThrow(`Affiliate not found: ${id}`)
  })

  it('is read by its affiliate alone, and is in the history and the events', async () => {
    await setUpInvoices(program)
    const { affiliate, coupon, own } = await agreedSeller(test, program)
    const eve = await agreedSeller(test, program)
    await sell(coupon, 's1')
    const [invoice] = (await createInvoices(program, await closeNext())).invoices
    const query =
      'query ($id: ID!) { me { invoices { nodes { number supplier { name } lines { text } } } invoice(id: $id) { number } } }'
    const { me } = await own(query, { id: invoice?.id })
    expect(me).toMatchObject({
      invoice: { number: invoice?.number },
      invoices: { nodes: [{ supplier: { name: 'Ada Lovelace GmbH' }, lines: [{ text: 'Commission' }] }] },
    })
    expect((await eve.own(query, { id: invoice?.id })).me).toEqual({ invoices: { nodes: [] }, invoice: null })
    const {
      history,
      events,
      invoice: byId,
    } = await program.graphql(
      'query ($id: ID!, $invoice: ID!) { history(subject: AFFILIATE, id: $id) { nodes { action } } events { nodes { type data } } invoice(id: $invoice) { number } }',
      { id: affiliate.id, invoice: invoice?.id },
    )
    expect(byId.number).toBe(invoice?.number)
    expect(history.nodes.map(({ action }: any) => action)).toEqual(
      expect.arrayContaining(['INVOICE_CREATED', 'SELF_BILLING_ACCEPTED']),
    )
    const event = events.nodes.find(({ type }: any) => type === 'invoice.created')
    expect(event).toBeDefined()
    expect(JSON.stringify(event)).not.toContain('Lovelace')
  })
})
