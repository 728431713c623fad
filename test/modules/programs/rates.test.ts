import { describe, expect, it } from 'vitest'
import { convertCents, decimalOf, factorOf, type Rate } from '../../../src/modules/programs/rates/convert.ts'
import { createTestApp } from '../../support/app.ts'

const test = await createTestApp({ startsAt: '2026-11-27T12:00:00.000Z' })

const importCsv = (program: Awaited<ReturnType<typeof test.createProgram>>, csv: string) =>
  program.graphql('mutation ($csv: String!) { importExchangeRates(input: { csv: $csv }) { rateCount dayCount } }', {
    csv,
  })

const rate = (base: string, currency: string, rateBillionths: bigint, day = '2026-11-27'): Rate => ({
  ...{ base, currency, day, rateBillionths },
  source: 'ecb',
})
const rates = [rate('eur', 'usd', 1_084_300_000n), rate('eur', 'jpy', 163_450_000_000n, '2026-11-26')]

describe('a factor', () => {
  it.each([
    ['eur', 'usd', 10_000n, 10_843n, '1.0843'],
    ['usd', 'eur', 10_843n, 10_000n, '0.922253989'],
    // Yen have no decimals: 100.00 USD are 15,074.24 yen.
    ['usd', 'jpy', 10_000n, 15_074n, '150.742'],
    ['jpy', 'usd', -15_074n, -10_000n, '0.00663'],
  ])('leads from %s to %s, directly or through the euro', (from, to, cents, expected, decimal) => {
    const factor = factorOf(rates, from, to)
    if (!factor) throw new Error('There is no factor.')
    expect(convertCents(cents, from, to, factor)).toBe(expected)
    expect(decimalOf(factor).slice(0, decimal.length)).toBe(decimal)
  })

  it('has the older day of two rates, and is missing without them', () => {
    expect(factorOf(rates, 'usd', 'jpy')?.day).toBe('2026-11-26')
    expect(factorOf(rates, 'usd', 'chf')).toBeNull()
  })
})

const owed = `{ affiliates { nodes { commissions { nodes { amount { currency
  converted(to: "eur") { amountCents currency formatted isConverted rate day source }
  own: converted { currency } } } } } } }`

describe('amounts in another currency', () => {
  it('say the rate, its day, its source, and that they are converted', async () => {
    const program = await test.createProgram()
    const { campaign } = (
      await program.graphql(
        'mutation { createCampaign(input: { name: "A", url: "https://acme.test", commissionPercent: 10 }) { campaign { id } } }',
      )
    ).createCampaign
    const { affiliate } = (
      await program.graphql(
        'mutation ($id: ID!) { createAffiliate(input: { email: "ada@example.com", campaignId: $id }) { affiliate { id } } }',
        { id: campaign.id },
      )
    ).createAffiliate
    for (const [amountCents, currency] of [
      [10_843, 'usd'],
      [500, 'eur'],
      [700, 'gbp'],
    ])
      await program.graphql(
        'mutation ($input: CreateCommissionInput!) { createCommission(input: $input) { commission { id } } }',
        { input: { affiliateId: affiliate.id, kind: 'BONUS', amountCents, currency, reason: 'Spring' } },
      )
    const csv = 'Date, USD, JPY, \n27 November 2026, 1.0843, 163.45, \n'
    expect((await importCsv(program, csv)).importExchangeRates).toEqual({ rateCount: 2, dayCount: 1 })
    const read = async () =>
      Object.fromEntries(
        (await program.graphql(owed)).affiliates.nodes[0].commissions.nodes.map(({ amount }: any) => [
          amount.currency,
          amount,
        ]),
      )
    const { usd, eur, gbp } = await read()
    expect(usd).toEqual({
      currency: 'usd',
      converted: {
        amountCents: 10_000,
        currency: 'eur',
        formatted: '≈ 100.00 EUR',
        isConverted: true,
        rate: '0.922253989',
        day: '2026-11-27',
        source: 'ECB',
      },
      own: null,
    })
    expect(eur.converted).toMatchObject({ amountCents: 500, formatted: '5.00 EUR', isConverted: false, rate: null })
    expect(gbp.converted).toBeNull()

    const entered =
      'mutation ($input: SetExchangeRateInput!) { setExchangeRate(input: $input) { exchangeRate { rate source } } }'
    const input = { base: 'gbp', currency: 'eur', day: '2026-11-26', rate: '1.15' }
    expect((await program.graphql(entered, { input })).setExchangeRate.exchangeRate).toEqual({
      rate: '1.15',
      source: 'ENTERED',
    })
    await test.operator(
      'mutation ($id: ID!) { updateProgram(input: { id: $id, readingCurrency: "EUR" }) { program { readingCurrency } } }',
      { id: program.id },
    )
    const after = await read()
    expect(after.gbp).toMatchObject({
      converted: { amountCents: 805, rate: '1.15', day: '2026-11-26', source: 'ENTERED' },
      own: { currency: 'eur' },
    })
  })

  it('use the newest rate until today, which a later import replaces', async () => {
    const program = await test.createProgram()
    const newest = async () => (await program.graphql('{ exchangeRates { currency day rate } }')).exchangeRates
    await importCsv(program, 'Date,USD,CHF\n2026-11-28,9,9\n2026-11-27,1.1,N/A\n2026-11-26,1.2,0.94\n')
    expect(await newest()).toEqual([
      { currency: 'chf', day: '2026-11-26', rate: '0.94' },
      { currency: 'usd', day: '2026-11-27', rate: '1.1' },
    ])
    await importCsv(program, 'Date,USD\n2026-11-27,1.15\n')
    expect((await newest())[1]).toEqual({ currency: 'usd', day: '2026-11-27', rate: '1.15' })
  })
})

describe('a bad file', () => {
  it.each([
    ['Date,USD\n2026-11-27,1.1\n2026-11-26,abc\n', 'Line 3: USD has "abc", which is not a rate, such as 1.0843.'],
    ['Date,USD\n2026-11-27,1.1\n2026-02-30,1.1\n', 'Line 3: "2026-02-30" is not a day, such as 2026-11-27.'],
    ['Date,USD\n2026-11-27,1.1\n2026-11-27,1.2\n', 'Line 3: the day 2026-11-27 is there twice.'],
    ['Date,USD\n2026-11-27,-1.1\n', 'Line 2: USD has "-1.1", which is not a rate, such as 1.0843.'],
    ['Date,USD\n2026-11-27,1.1,3\n', 'Line 2 has more values than the header. Each needs a currency there.'],
    ['Day,USD\n2026-11-27,1.1\n', 'Line 1: the header must begin with "Date", not with "Day".'],
    ['Date,Dollar\n2026-11-27,1.1\n', 'Line 1: "Dollar" is not a currency, such as USD.'],
    ['Date,USD\n', 'The file has no rates. It needs a header `Date,USD,…` and a line for each day.'],
  ])('%j is rejected as a whole, with the line', async (csv, message) => {
    const program = await test.createProgram()
    await expect(importCsv(program, csv)).rejects.toThrow(message)
    expect((await program.graphql('{ exchangeRates { day } }')).exchangeRates).toEqual([])
  })

  it('a rate by hand needs two currencies, a day and a number', async () => {
    const program = await test.createProgram()
    const set = (input: object) =>
      program.graphql('mutation ($input: SetExchangeRateInput!) { setExchangeRate(input: $input) { __typename } }', {
        input: { base: 'eur', currency: 'usd', day: '2026-11-27', rate: '1', ...input },
      })
    await expect(set({ currency: 'eur' })).rejects.toThrow('must be another currency than the base')
    await expect(set({ day: '27.11.2026' })).rejects.toThrow('must be a day, such as 2026-11-27')
    await expect(set({ rate: '0' })).rejects.toThrow('must be a number above 0')
  })
})
