/**
 * From which sum a year's payments for services are reported on Form 1099-NEC, in cents of USD. Sources: 26 U.S.C.
 * 6041(a) and 6041A(a) (600 USD); the same as amended by Public Law 119-21, section 70433 (2,000 USD for payments after
 * 31 December 2025). Later years are adjusted for inflation: add them when the IRS has said them.
 */
const thresholds = [
  { fromYear: 2026, cents: 200_000n },
  { fromYear: 1954, cents: 60_000n },
] as const

/** The last year whose threshold is known, not only the least that it can be. */
export const lastKnownYear = 2026

export const thresholdOf = (year: number): bigint =>
  thresholds.find(({ fromYear }) => fromYear <= year)?.cents ?? thresholds[1].cents
