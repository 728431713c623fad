import fc from 'fast-check'
import { expect, it } from 'vitest'
import { instantOfText, instantText } from '../../src/kernel/instants.ts'

it('every time is written as JavaScript writes it', () => {
  fc.assert(
    fc.property(fc.date({ noInvalidDate: true }), (instant) => {
      expect(instantText(instant)).toBe(instant.toISOString())
    }),
    { numRuns: 2_000 },
  )
})

it.each([
  ['2026-01-02 03:04:05+00', '2026-01-02T03:04:05.000Z'],
  ['2026-01-02 03:04:05.6+00', '2026-01-02T03:04:05.600Z'],
  ['2026-01-02 03:04:05.678912+00', '2026-01-02T03:04:05.678Z'],
  ['2026-01-02T03:04:05.67+00:00', '2026-01-02T03:04:05.670Z'],
  ['0099-12-31 23:59:59+00', '0099-12-31T23:59:59.000Z'],
])('PostgreSQL writes %s, and the answer has %s', (text, expected) => {
  expect(instantOfText(text)).toBe(expected)
})

it.each([
  'infinity',
  '-infinity',
  '12026-01-02 03:04:05+00',
  '2026-01-02 03:04:05+00 BC',
  '2026-01-02 03:04:05+01',
  '',
])('the text "%s" is left to the parser of times', (text) => {
  expect(instantOfText(text)).toBeUndefined()
})
