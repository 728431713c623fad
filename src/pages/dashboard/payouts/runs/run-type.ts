import type { OnePayoutRunQuery } from '../../../../generated/dashboard/payouts/runs/graphql.ts'

/** A run as its page shows it. */
export type Run = NonNullable<OnePayoutRunQuery['payoutRun']>
