import { expect, it } from 'vitest'
import { foldPayment, type KnownFact } from '../../../../src/modules/payouts/payments/fold.ts'

const fact = (kind: KnownFact['kind'], day: number | null = null, cents: number | null = null): KnownFact => ({
  kind,
  at: day === null ? null : new Date(Date.UTC(2026, 10, day)),
  amountCents: cents === null ? null : BigInt(cents),
})

it.each<[string, KnownFact[], string, number]>([
  ['nothing is known', [], 'prepared', 0],
  [
    'a payment that came back stays back, if its payment is read later',
    [fact('returned', 29), fact('paid', 27)],
    'returned',
    0,
  ],
  ['the same in the other order', [fact('paid', 27), fact('returned', 29)], 'returned', 0],
  ['a payment without a time comes after what was known', [fact('unclaimed', 27), fact('paid')], 'paid', 50],
  ['what came back later counts, though the payment has no time', [fact('paid'), fact('reversed', 1)], 'returned', 0],
  ['a part comes back', [fact('paid', 1), fact('returned', 2, 20)], 'paid', 30],
  ['a part was paid', [fact('paid', 1, 20)], 'paid', 20],
  ['unclaimed is not back', [fact('sent'), fact('unclaimed', 2)], 'unclaimed', 0],
  ['a failure after it was marked as paid', [fact('paid'), fact('failed', 2)], 'failed', 0],
  ['a payment that was cancelled here can be paid by the service', [fact('cancelled'), fact('paid', 1)], 'paid', 50],
  ['what was recorded before it was undone does not count', [fact('paid', 9), fact('cancelled')], 'cancelled', 0],
  [
    'a late failure of a payment that was cancelled changes nothing',
    [fact('cancelled'), fact('failed', 3)],
    'cancelled',
    0,
  ],
])('%s', (_name, facts, state, gone) => {
  expect(foldPayment(50n, facts)).toEqual({ state, goneCents: BigInt(gone) })
})

it('a payment of 0 has nothing to claim', () => {
  const facts = [fact('cancelled'), fact('paid', 1), fact('unclaimed', 2)]
  expect(foldPayment(0n, facts)).toEqual({ state: 'paid', goneCents: 0n })
})
