import { describe, expect, it } from 'vitest'
import { gridLinesOf, isUnfinished } from '../../../src/pages/parts/chart/series.ts'
import { formatAmount, formatCount, formatMoney } from '../../../src/pages/parts/format.tsx'
import { formatDate, setLocale } from '../../../src/pages/parts/locale.ts'

describe('the grid lines of a chart', () => {
  it.each([
    ['without values', [], [0, 1]],
    ['for zeros', [0, 0], [0, 1]],
    ['for 0 and 1', [1, 0], [0, 1]],
    ['for small values', [7, 3], [0, 5, 10]],
    ['for large values', [1234, 0], [0, 500, 1000, 1500]],
    ['for a value on a line', [300], [0, 100, 200, 300]],
    ['for negative and positive values', [-250, 100], [-400, -200, 0, 200]],
    ['for negative values only', [-1], [-1, 0]],
  ])('%s', (_, values, lines) => {
    expect(gridLinesOf(values)).toEqual(lines)
  })

  it('enclose all values, include 0 and are at most 6', () => {
    for (let size = 1; size < 2 ** 50; size = size * 3 + 1)
      for (const values of [[size], [-size], [size, -size], [size, -1], [1, -size]]) {
        const lines = gridLinesOf(values)
        expect(lines).toContain(0)
        expect(lines.length).toBeLessThanOrEqual(6)
        expect(Math.min(...lines)).toBeLessThanOrEqual(Math.min(...values))
        expect(Math.max(...lines)).toBeGreaterThanOrEqual(Math.max(...values))
      }
  })
})

describe('amounts', () => {
  it.each([
    [123_456, 'usd', '$1,234.56'],
    [-5, 'usd', '-$0.05'],
    [0, 'usd', '$0.00'],
    [4_000, 'jpy', '¥4,000'],
    [1_234, 'kwd', 'KWD\u00a01.234'],
    [150_000, 'huf', 'HUF\u00a01,500.00'],
    [Number.MAX_SAFE_INTEGER, 'usd', '$90,071,992,547,409.91'],
  ])('formats %i minor units of %s as %s', (cents, currency, formatted) => {
    expect(formatMoney(cents, currency)).toBe(formatted)
    expect(formatted.replace(/[^\d.,-]/g, '')).toBe(formatAmount(cents, currency))
  })
  it('and counts and dates are in the locale that was set', () => {
    setLocale('de-DE')
    try {
      expect(formatMoney(123_456, 'usd')).toBe('1.234,56\u00a0$')
      expect(formatMoney(Number.MAX_SAFE_INTEGER, 'usd')).toBe('90.071.992.547.409,91\u00a0$')
      expect(formatCount(1_200, 'sale')).toBe('1.200 sales')
      expect(formatDate('2026-03-10T12:00:00Z')).toBe('10.03.2026')
    } finally {
      setLocale(undefined)
    }
    expect(formatMoney(123_456, 'usd')).toBe('$1,234.56')
  })
})

it.each([
  ['2026-11-01T00:00:00.000Z', 'MONTH', '2026-11-30T23:59:59Z', true],
  ['2026-11-01T00:00:00.000Z', 'MONTH', '2026-12-01T00:00:00Z', false],
  // In Berlin and in Los Angeles.
  ['2026-10-31T23:00:00.000Z', 'MONTH', '2026-11-30T22:59:59Z', true],
  ['2026-10-31T23:00:00.000Z', 'MONTH', '2026-11-30T23:00:00Z', false],
  ['2026-01-31T23:00:00.000Z', 'MONTH', '2026-02-28T22:59:59Z', true],
  ['2026-02-01T08:00:00.000Z', 'MONTH', '2026-03-01T08:00:00Z', false],
  ['2026-10-01T00:00:00.000Z', 'QUARTER', '2026-12-31T00:00:00Z', true],
  ['2026-11-23T00:00:00.000Z', 'WEEK', '2026-11-29T23:00:00Z', true],
  ['2026-11-23T00:00:00.000Z', 'WEEK', '2026-11-30T00:00:00Z', false],
  ['2026-11-28T00:00:00.000Z', 'DAY', '2026-11-28T12:00:00Z', true],
  ['2026-12-28T00:00:00.000Z', 'WEEK', '2026-11-28T12:00:00Z', false],
  ['2026-11-28T00:00:00.000Z', undefined, '2026-11-28T12:00:00Z', false],
])('%s, %s at %s is unfinished: %s', (start, interval, now, unfinished) => {
  expect(isUnfinished(start, interval, Date.parse(now))).toBe(unfinished)
})
