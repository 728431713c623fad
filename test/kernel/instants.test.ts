import fc from 'fast-check'
import { expect, it } from 'vitest'
import { instantText } from '../../src/kernel/instants.ts'

it('every time is written as JavaScript writes it', () => {
  fc.assert(
    fc.property(fc.date({ noInvalidDate: true }), (instant) => {
      expect(instantText(instant)).toBe(instant.toISOString())
    }),
    { numRuns: 2_000 },
  )
})
