/** Returns `basisPoints` hundredths of a percent of `cents`, in minor units, rounded half up. `cents` is at least 0. */
export function percentOf(cents: bigint, basisPoints: number): bigint {
  return (cents * BigInt(basisPoints) + 5_000n) / 10_000n
}
