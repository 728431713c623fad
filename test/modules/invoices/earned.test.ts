import { expect, it } from 'vitest'
import { earnedOf } from '../../../src/modules/invoices/earned.ts'
import type { Line } from '../../../src/modules/statements/lines.ts'

const line = (kind: string, amountCents: string, more: object = {}) =>
  ({ kind, amountCents, text: '', ...more }) as Line

it('neither payments nor the tax that is withheld of them are earned', () => {
  const lines = [
    line('commission', '1000', { commission: { id: 'a' } }),
    line('payment', '-850', { commissions: [] }),
    line('withheld', '-150'),
    line('payment_returned', '850', { commissions: [] }),
    line('withheld', '150'),
  ]
  const earned = { lines: [{ kind: 'commission', count: 1, amountCents: '1000' }], cents: 1_000n }
  expect(earnedOf(lines, new Set())).toEqual(earned)
})
