import { percentOf } from '../../kernel/money/rounding.ts'

/** What is to leave by a payment, and what is withheld of it as tax. Together they are what the payment settles. */
export type Split = { amountCents: bigint; withheldCents: bigint }

/** @param basisPoints hundredths of a percent. The tax is rounded half up: at 50 % of 1 cent, it is all of it. */
export function splitOf(grossCents: bigint, basisPoints: number): Split {
  const withheldCents = percentOf(grossCents, basisPoints)
  return { amountCents: grossCents - withheldCents, withheldCents }
}

/** @param by above 0 */
const roundedRatio = (cents: bigint, of: bigint, by: bigint): bigint => (2n * cents * of + by) / (2n * by)

/**
 * What is withheld if so much of a payment leaves: in proportion, rounded half up. `withheld_with` in
 * prisma/sql/payable.sql is the same.
 */
export const withheldWith = ({ amountCents, withheldCents }: Split, goneCents: bigint): bigint =>
  withheldCents === 0n || amountCents === 0n ? 0n : roundedRatio(withheldCents, goneCents, amountCents)

/** What is settled if so much of a payment leaves: it, and what is withheld with it. */
export const settledWith = (split: Split, goneCents: bigint): bigint => goneCents + withheldWith(split, goneCents)

/** What has to leave to settle so much. With rounding, what it settles can be a minor unit more or less. */
export const goneFor = ({ amountCents, withheldCents }: Split, settledCents: bigint): bigint =>
  withheldCents === 0n ? settledCents : roundedRatio(amountCents, settledCents, amountCents + withheldCents)
