import { canonical, type Json, type JsonObject } from './canonical.ts'

type State = { amountCents: string; state: string }
type Change = { id: string; before: State; after: State }

/** What is owed of a commission. */
const owed = ({ amountCents, state }: State): bigint => (state === 'open' ? BigInt(amountCents) : 0n)

const changesOf = (line: JsonObject): Change[] => [
  ...(line.commission ? [line.commission as unknown as Change] : []),
  ...((line.commissions ?? []) as unknown as Change[]),
]

const isPayment = ({ kind }: JsonObject): boolean => kind === 'payment' || kind === 'payment_returned'

/** Whether a line is what was withheld of the payment in the line before it. */
const isWithheldOf = (line: JsonObject | undefined, before: JsonObject | undefined): boolean =>
  line?.kind === 'withheld' &&
  before !== undefined &&
  isPayment(before) &&
  ['payment', 'bookedAt', 'month'].every((name) => canonical(line[name] ?? null) === canonical(before[name] ?? null))

/** Follows commissions from line to line: each begins where the last line about it has left it. */
export function ledgerOf() {
  const known = new Map<string, State>()
  return {
    /** @returns what is wrong with the line at a place; null if nothing is */
    problemOf(lines: readonly JsonObject[], index: number): string | null {
      const line = lines[index] as JsonObject
      const changes = changesOf(line)
      if (line.kind === 'withheld')
        return changes.length === 0 && isWithheldOf(line, lines[index - 1])
          ? null
          : 'What was withheld has to follow its payment, and is of no commission.'
      for (const { id, before } of changes) {
        const last = known.get(id)
        if (last && (last.amountCents !== before.amountCents || last.state !== before.state))
          return `The commission ${id} was ${last.state} with ${last.amountCents} before, not ${before.state} with ${before.amountCents}.`
      }
      for (const { id, after } of changes) known.set(id, after)
      const changed = changes.reduce((sum, { before, after }) => sum + owed(after) - owed(before), 0n)
      const next = lines[index + 1]
      const withheld = isWithheldOf(next, line) ? BigInt(String(next?.amountCents)) : 0n
      return String(changed - withheld) === line.amountCents
        ? null
        : `The amount ${String(line.amountCents as Json)} is not what changed of its commissions, ${changed - withheld}.`
    },
  }
}
