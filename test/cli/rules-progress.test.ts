import { expect, it } from 'vitest'
import { barOf } from '../../src/cli/rules/progress.ts'

it('the bar of a plan says how many sales are replayed', () => {
  expect(barOf({ replayed: 30_000, total: 100_000 })).toBe('[#########---------------------] 30 % of 100,000 sales')
  expect(barOf({ replayed: 0, total: 0 })).toBe('[##############################] 100 % of 0 sales')
  // Sales that are reported meanwhile are replayed too.
  expect(barOf({ replayed: 12, total: 10 })).toBe('[##############################] 100 % of 10 sales')
})
