import { describe, expect, it } from 'vitest'
import { readableAmount, readableMoney } from '../../../../src/server/pages/portal/format.tsx'
import { gridOf } from '../../../../src/server/pages/portal/series.ts'

describe('the lines across a chart', () => {
  it.each([
    ['of nothing', [], [0, 1]],
    ['of zeros', [0, 0], [0, 1]],
    ['of one', [1, 0], [0, 1]],
    ['of few', [7, 3], [0, 5, 10]],
    ['of many', [1234, 0], [0, 500, 1000, 1500]],
    ['of what is just a round number', [300], [0, 100, 200, 300]],
    ['of what is below nothing', [-250, 100], [-400, -200, 0, 200]],
    ['of nothing but that', [-1], [-1, 0]],
  ])('%s', (_, values, lines) => {
    expect(gridOf(values)).toEqual(lines)
  })

  it('hold all values, have a 0, and are few, whatever the values', () => {
    for (let size = 1; size < 2 ** 50; size = size * 3 + 1)
      for (const values of [[size], [-size], [size, -size], [size, -1], [1, -size]]) {
        const lines = gridOf(values)
        expect(lines).toContain(0)
        expect(lines.length).toBeLessThanOrEqual(6)
        expect(Math.min(...lines)).toBeLessThanOrEqual(Math.min(...values))
        expect(Math.max(...lines)).toBeGreaterThanOrEqual(Math.max(...values))
      }
  })
})

describe('amounts', () => {
  it.each([
    [123_456, 'usd', '1,234.56 USD'],
    [-5, 'usd', '-0.05 USD'],
    [0, 'usd', '0.00 USD'],
    [4_000, 'jpy', '4,000 JPY'],
    [1_234, 'kwd', '1.234 KWD'],
    [150_000, 'huf', '1,500.00 HUF'],
    [Number.MAX_SAFE_INTEGER, 'usd', '90,071,992,547,409.91 USD'],
  ])('%i minor units of %s are %s', (cents, currency, written) => {
    expect(readableMoney(cents, currency)).toBe(written)
    expect(written).toBe(`${readableAmount(cents, currency)} ${currency.toUpperCase()}`)
  })
})
