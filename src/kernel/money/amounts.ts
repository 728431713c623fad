/** The largest amount, in minor units: 2^53 - 1, the largest integer that JSON clients read exactly. */
export const maxCents = BigInt(Number.MAX_SAFE_INTEGER)
