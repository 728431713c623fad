import fc from 'fast-check'
import { expect, it } from 'vitest'
import { percentOf } from '../../../src/kernel/money/rounding.ts'

it.each([
  // cents, basis points, expected
  [4999n, 2000, 1000n],
  [1n, 5000, 1n],
  [1n, 4999, 0n],
  [5n, 1000, 1n],
  [4n, 1000, 0n],
  [15n, 1000, 2n],
  [25n, 1000, 3n],
  [0n, 10_000, 0n],
  [100n, 0, 0n],
  [1999n, 3333, 666n],
  [9_007_199_254_740_991n, 10_000, 9_007_199_254_740_991n],
  [9_007_199_254_740_991n, 5000, 4_503_599_627_370_496n],
  [9_007_199_254_740_991n, 1, 900_719_925_474n],
])('%i cents at %i basis points are %i', (cents, basisPoints, expected) => {
  expect(percentOf(cents, basisPoints)).toBe(expected)
})

/** Rounds half up by division with remainder, as an independent reference. */
function oracle(cents: bigint, basisPoints: number): bigint {
  const product = cents * BigInt(basisPoints)
  const [whole, rest] = [product / 10_000n, product % 10_000n]
  return rest * 2n >= 10_000n ? whole + 1n : whole
}

it('rounds half up, exactly at every size', () => {
  const cents = fc.bigInt({ min: 0n, max: 2n ** 53n - 1n })
  const basisPoints = fc.integer({ min: 0, max: 10_000 })
  fc.assert(
    fc.property(cents, basisPoints, (amount, share) => {
      const result = percentOf(amount, share)
      expect(result).toBe(oracle(amount, share))
      expect(result).toBeLessThanOrEqual(amount)
    }),
    { numRuns: 1000 },
  )
})
