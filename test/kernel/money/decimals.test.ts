import { code as iso } from 'currency-codes'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decimalsOf, readableAmount, toMajorUnits, toMinorUnits } from '../../../src/kernel/money/decimals.ts'

describe('the decimal places of a currency', () => {
  it.each([
    [0, 'jpy krw clp isk vnd xaf xof xpf pyg ugx'],
    [2, 'usd eur gbp huf idr cop pkr all afn mga xcg zwl'],
    [3, 'kwd bhd jod omr tnd iqd lyd'],
    [4, 'clf uyw'],
  ])('%i: %s', (places, codes) => {
    for (const code of codes.split(' ')) expect([code, decimalsOf(code)]).toEqual([code, places])
  })

  it('are those of ISO 4217, for every accepted code', () => {
    const listed = Intl.supportedValuesOf('currency').filter((code) => iso(code))
    expect(listed.length).toBeGreaterThan(150)
    for (const code of listed) expect([code, decimalsOf(code.toLowerCase())]).toEqual([code, iso(code)?.digits])
  })
})

it.each([
  [1234n, 'usd', '12.34'],
  [1234n, 'jpy', '1234'],
  [1234n, 'kwd', '1.234'],
  [1234n, 'clf', '0.1234'],
  [0n, 'usd', '0.00'],
  [0n, 'jpy', '0'],
  [5n, 'usd', '0.05'],
  [5n, 'kwd', '0.005'],
  [100n, 'usd', '1.00'],
  [-5n, 'usd', '-0.05'],
  [-1234n, 'jpy', '-1234'],
  [-1000n, 'kwd', '-1.000'],
  [2n ** 31n, 'usd', '21474836.48'],
  [2n ** 53n - 1n, 'usd', '90071992547409.91'],
  [2n ** 53n - 1n, 'kwd', '9007199254740.991'],
  [2n ** 53n - 1n, 'jpy', '9007199254740991'],
])('%i minor units of %s are %s', (cents, currency, expected) => {
  expect(toMajorUnits(cents, currency)).toBe(expected)
  expect(readableAmount(cents, currency)).toBe(`${expected} ${currency.toUpperCase()}`)
})

it('is exact: the digits without the point are the minor units', () => {
  const currencies = fc.constantFrom('jpy', 'usd', 'kwd', 'clf')
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n }), currencies, (cents, currency) => {
      const written = toMajorUnits(cents, currency)
      expect(BigInt(written.replace('.', ''))).toBe(cents)
      expect((written.split('.')[1] ?? '').length).toBe(decimalsOf(currency))
    }),
  )
})

describe('a decimal number as minor units', () => {
  it.each([
    ['12.5', 'usd', 1250n],
    ['12.50', 'usd', 1250n],
    ['1200', 'jpy', 1200n],
    ['1.234', 'kwd', 1234n],
    ['90071992547409.91', 'usd', 9007199254740991n],
    ['12.345', 'usd', null],
    ['1.5', 'jpy', null],
    ['12,50', 'usd', null],
    ['1,234.50', 'usd', null],
    ['12.', 'usd', null],
    ['-3', 'usd', null],
    ['.5', 'usd', null],
    ['ten', 'usd', null],
    ['', 'usd', null],
  ])('%s %s', (text, currency, cents) => {
    expect(toMinorUnits(text, currency)).toBe(cents)
  })

  it('is read back as it was formatted', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 2n ** 53n }),
        fc.constantFrom('usd', 'jpy', 'kwd', 'clf'),
        (cents, currency) => {
          expect(toMinorUnits(toMajorUnits(cents, currency), currency)).toBe(cents)
        },
      ),
    )
  })
})
