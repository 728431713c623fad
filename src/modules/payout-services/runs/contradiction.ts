import { readableAmount } from '../../../kernel/money/decimals.ts'
import { inOrder, type KnownFact } from '../../payouts/payments/fold.ts'
import type { Heard, Kind } from '../kinds/kind.ts'

type Asked = { amountCents: bigint; currency: string }

/** What can follow what, of the results of a payment. */
const after: Readonly<Partial<Record<KnownFact['kind'], readonly KnownFact['kind'][]>>> = {
  paid: ['paid', 'returned', 'reversed'],
  unclaimed: ['unclaimed', 'paid', 'returned', 'reversed', 'failed', 'cancelled'],
  failed: ['failed'],
  returned: ['returned'],
  reversed: ['reversed', 'returned'],
}

/** What the service says of the amount that does not fit to the run, in a sentence. */
export function amountContradiction(service: string, { amount, state }: Heard, asked: Asked): string | null {
  if (!amount || (amount.currency === asked.currency && amount.cents === asked.amountCents)) return null
  // A part of it came back.
  if (state === 'reversed' && amount.currency === asked.currency && amount.cents < asked.amountCents) return null
  const said = readableAmount(amount.cents, amount.currency)
  return `${service} says ${said}, but the run pays ${readableAmount(asked.amountCents, asked.currency)}.`
}

/**
 * What contradicts each other among the results of a payment, by their times: a payment that failed is not paid
 * later, and two results are not of one moment. One without a time comes after what was recorded before it. A person
 * has to say which is right.
 * @param recorded all facts of the payment, in the order in which they were recorded
 * @param alsoAfter what else can follow what at the service
 * @returns sentences, in the order of the results
 */
export function orderContradictions(recorded: readonly KnownFact[], alsoAfter: Kind['alsoAfter'] = {}): string[] {
  const from = recorded.findLastIndex(({ kind }) => kind === 'cancelled')
  const results = recorded.slice(from + 1).filter(({ kind }) => kind !== 'sent')
  const isMade = from >= 0 && results.some(({ kind }) => kind === 'paid' || kind === 'unclaimed')
  const found = isMade ? ['The payment was cancelled here, but the service has made it.'] : []
  const ordered = inOrder(results)
  for (const [index, next] of ordered.entries()) {
    const before = ordered[index - 1]
    if (!before || before.kind === next.kind) continue
    const isAllowed = [after, alsoAfter].some((one) => one[before.kind]?.includes(next.kind))
    const isOrdered = before.at === null || next.at === null || before.at < next.at
    if (isAllowed && isOrdered) continue
    const [first, second] = [before, next].map(({ kind, at }) => (at ? `${kind} at ${at.toISOString()}` : kind))
    found.push(`What was said of the payment does not fit together: ${first}, then ${second}.`)
  }
  return found
}
