import { describe, expect, it } from 'vitest'
import { normalizeCurrency } from '../../../src/kernel/money/currencies.ts'
import { currencyOptions } from '../../../src/pages/dashboard/form/currency-options.ts'
import { localeOptions } from '../../../src/pages/dashboard/form/locale-options.ts'
import { completeAddress } from '../../../src/pages/dashboard/form/web-address.ts'
import { formatMoney, inLocale } from '../../../src/pages/parts/format.tsx'
import { setLocale } from '../../../src/pages/parts/locale.ts'

describe('the choices of forms', () => {
  it('every currency is one that the service accepts, and the current one is among them', () => {
    const codes = currencyOptions('xts').map(({ value }) => value)
    expect(codes.filter((code) => normalizeCurrency(code) === null)).toEqual(['XTS'])
    expect(codes.length).toBeGreaterThan(150)
    expect(currencyOptions('USD').find(({ value }) => value === 'USD')?.name).toBe('USD – US Dollar')
  })

  it('every locale has its own formats, and the current one is among them', () => {
    const tags = localeOptions('de-JP').map(({ value }) => value)
    const borrowed = tags.filter((tag) => new Intl.NumberFormat(tag).resolvedOptions().locale !== tag)
    expect(borrowed).toContain('de-JP')
    // Versions of ICU differ by a few.
    expect(borrowed.length).toBeLessThan(10)
    expect(tags.length).toBeGreaterThan(400)
    expect(new Set(tags).size).toBe(tags.length)
  })
})

it.each([
  ['acme.test', 'https://acme.test'],
  [' localhost:3000/shop ', 'https://localhost:3000/shop'],
  ['http://acme.test', 'http://acme.test'],
  ['ftp://acme.test', 'ftp://acme.test'],
  ['', ''],
])('the address %o is completed to %o', (typed, complete) => expect(completeAddress(typed)).toBe(complete))

it.each([
  ['en-US', 4_900, 'usd', '$49.00'],
  ['en-US', -4_900, 'eur', '-€49.00'],
  ['de-DE', 123_450, 'eur', '1.234,50\u00a0€'],
  ['en-US', 400_000, 'jpy', '¥400,000'],
  // ISO 4217 has two places for the forint, CLDR none.
  ['en-US', 9_007_199_254_740_991, 'huf', 'HUF\u00a090,071,992,547,409.91'],
])('%s writes %d of %s as %s', (locale, cents, currency, written) => {
  setLocale(locale)
  expect(formatMoney(cents, currency)).toBe(written)
  setLocale(undefined)
})

it('amounts in sentences of the service are written in the locale', () => {
  setLocale('de-DE')
  const sentence = '20 percent of 1234.50 USD (400 JPY before) is 3 ABC, for 30 days.'
  expect(inLocale(sentence)).toBe('20 percent of 1.234,50\u00a0$ (400\u00a0¥ before) is 3,00\u00a0ABC, for 30 days.')
  setLocale(undefined)
})
