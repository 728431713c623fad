import type { Payout } from '../../generated/prisma/client.ts'
import { builder, publicOnly } from '../../graphql/builder.ts'
import { PayoutType } from './graphql.ts'
import { SkipReasonEnum } from './graphql-enums.ts'
import type { SkipReason } from './skip.ts'

export const SkippedPayoutType = builder.objectRef<{ payout: Payout; reason: SkipReason }>('SkippedPayout').implement({
  description: 'A payout that is left out of a file or a run.',
  subGraphs: publicOnly,
  fields: (t) => ({
    payout: t.field({
      type: PayoutType,
      description: 'The payout that is left out.',
      resolve: ({ payout }) => payout,
    }),
    reason: t.expose('reason', { type: SkipReasonEnum, description: 'Why the payout is left out.' }),
  }),
})
