/** Returns `basisPoints` hundredths of a percent of `cents`, in minor units, rounded half up, also below 0. */
export function percentOf(cents: bigint, basisPoints: number): bigint {
  const scaled = cents * BigInt(basisPoints) + 5_000n
  const whole = scaled / 10_000n
  return scaled < 0n && whole * 10_000n !== scaled ? whole - 1n : whole
}
