import { percentOf } from '../../../kernel/money/rounding.ts'

export type Amounts = { netCents: bigint; vatCents: bigint; grossCents: bigint }

/**
 * The tax of an invoice, in minor units. It is computed once for the sum of all lines, which have one rate, and rounded
 * half away from zero: a credit note takes back exactly what its invoice had. Directive 2006/112/EC leaves the rounding
 * to member states (ECJ C-484/06).
 * @param cents what the ledger has, also negative
 * @param isIncluded whether it includes the tax
 */
export function amountsOf(cents: bigint, basisPoints: number, isIncluded: boolean): Amounts {
  const size = cents < 0n ? -cents : cents
  const vat = isIncluded ? includedIn(size, basisPoints) : percentOf(size, basisPoints)
  const vatCents = cents < 0n ? -vat : vat
  return isIncluded
    ? { netCents: cents - vatCents, vatCents, grossCents: cents }
    : { netCents: cents, vatCents, grossCents: cents + vatCents }
}

/** `basisPoints` on top of a net amount give `gross`. Rounded half up. */
function includedIn(gross: bigint, basisPoints: number): bigint {
  const whole = BigInt(10_000 + basisPoints)
  return (2n * gross * BigInt(basisPoints) + whole) / (2n * whole)
}
