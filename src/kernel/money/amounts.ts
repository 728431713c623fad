/** The largest amount that is exact on every side of the wire: 2^53 - 1 minor units. */
export const maxCents = BigInt(Number.MAX_SAFE_INTEGER)

/** Minor units of `basisPoints` hundredths of a percent of `cents`, rounded half up; exact at every size. `cents` is at least 0. */
export function percentOf(cents: bigint, basisPoints: number): bigint {
  return (cents * BigInt(basisPoints) + 5_000n) / 10_000n
}
