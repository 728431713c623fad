import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { exampleAmount, readAmount, readDecimal, writeAmount } from '../../../src/pages/parts/amount.ts'
import { formatAmount } from '../../../src/pages/parts/format.tsx'
import { setLocale } from '../../../src/pages/parts/locale.ts'

afterEach(() => setLocale(undefined))

describe('an amount that is typed in the locale of the program', () => {
  it.each([
    ['en-US', '15', 'usd', 1500n],
    ['en-US', ' 15.5 ', 'usd', 1550n],
    ['en-US', '0.01', 'usd', 1n],
    ['en-US', '1,234.50', 'usd', 123_450n],
    ['en-US', '1,234', 'usd', 123_400n],
    ['en-US', '1.234', 'kwd', 1234n],
    ['en-US', '1,500', 'jpy', 1500n],
    ['en-US', '90071992547409.91', 'usd', 9_007_199_254_740_991n],
    ['de-DE', '12,50', 'eur', 1250n],
    ['de-DE', '1.234,50', 'eur', 123_450n],
    ['de-DE', '1.234.567', 'eur', 123_456_700n],
    ['de-DE', '1,234', 'kwd', 1234n],
    ['fr-FR', '1 234,50', 'eur', 123_450n],
    ['fr-FR', '1\u202f234,50', 'eur', 123_450n],
    ['de-CH', "1'234.50", 'chf', 123_450n],
    ['de-CH', '1’234.50', 'chf', 123_450n],
    ['en-IN', '12,34,567.50', 'inr', 123_456_750n],
    ['es-ES', '1.234,50', 'eur', 123_450n],
  ])('%s: %s %s is %d minor units', (locale, typed, currency, cents) => {
    setLocale(locale)
    expect(readAmount(typed, currency)).toBe(cents)
  })

  it.each([
    ['en-US', '12,50', 'usd'],
    ['en-US', '1.234', 'usd'],
    ['en-US', '1.5', 'jpy'],
    ['en-US', '12,34,567.50', 'usd'],
    ['en-US', '1,23', 'usd'],
    ['en-US', '1.000.000', 'usd'],
    ['en-US', '15.', 'usd'],
    ['en-US', '.5', 'usd'],
    ['en-US', '-1', 'usd'],
    ['en-US', '1e3', 'usd'],
    ['en-US', '', 'usd'],
    ['de-DE', '12.50', 'eur'],
    ['de-DE', '1,234.50', 'eur'],
    ['de-DE', '1.2345', 'eur'],
    ['fr-FR', '12.50', 'eur'],
    ['fr-FR', '12 34,50', 'eur'],
  ])('%s: %s %s is not an amount', (locale, typed, currency) => {
    setLocale(locale)
    expect(readAmount(typed, currency)).toBe('notAmount')
  })

  it.each([
    ['en-US', '1,234', 'kwd'],
    ['de-DE', '1.234', 'kwd'],
  ])('%s: %s %s can be two amounts', (locale, typed, currency) => {
    setLocale(locale)
    expect(readAmount(typed, currency)).toBe('ambiguous')
  })

  it('can be copied from where the page shows it, and is what the field shows, in every locale with digits from 0 to 9', () => {
    const locales = fc.constantFrom(
      'en-US',
      'de-DE',
      'fr-FR',
      'de-CH',
      'en-IN',
      'pl-PL',
      'es-ES',
      'pt-BR',
      'sv-SE',
      'ja-JP',
    )
    const cents = fc.bigInt({ min: 0n, max: 2n ** 53n - 1n })
    fc.assert(
      fc.property(locales, cents, fc.constantFrom('usd', 'jpy', 'kwd', 'clf'), (locale, amount, currency) => {
        setLocale(locale)
        expect(readAmount(writeAmount(amount, currency), currency)).toBe(amount)
        expect(readAmount(formatAmount(amount, currency), currency)).toBe(amount)
      }),
    )
  })

  it('is edited with the digits of the keyboard where the page shows others', () => {
    setLocale('ar-EG')
    expect(readAmount(writeAmount(123_450, 'egp'), 'egp')).toBe(123_450n)
  })

  it.each([
    ['en-US', 'usd', '1,234.50'],
    ['de-DE', 'eur', '1.234,50'],
    ['de-DE', 'kwd', '1.234,500'],
  ])('%s: an example in %s is %s, and is an amount', (locale, currency, example) => {
    setLocale(locale)
    expect(exampleAmount(currency)).toBe(example)
    expect(typeof readAmount(example, currency)).toBe('bigint')
  })
})

it('a percentage is typed with the decimal separator of the locale', () => {
  setLocale('de-DE')
  expect([readDecimal('12,5'), readDecimal('12.5')]).toEqual(['12.5', null])
})
