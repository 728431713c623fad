import { formatMoney } from '../../../parts/format.tsx'
import { type Column, Table } from '../../../parts/table.tsx'
import { AffiliateLink } from '../../affiliate-name.tsx'
import { texts } from '../../texts.ts'
import type { Run } from './run-type.ts'

const words = texts.payoutRuns

type Skipped = Run['skipped'][number]

const columns: Column<Skipped>[] = [
  { name: words.affiliate, cell: ({ payout }) => <AffiliateLink affiliate={payout.affiliate} /> },
  { name: words.why, isPlain: true, cell: ({ reason }) => texts.payouts.skipReasons[reason] },
  {
    name: texts.money.amount,
    isNumber: true,
    cell: ({ payout }) => formatMoney(payout.amountCents, payout.currency),
  },
]

/** The payouts that a run leaves out, with the reasons. Closed, as it can be long. */
export const LeftOut = ({ skipped, skippedCount, payouts }: Pick<Run, 'skipped' | 'skippedCount' | 'payouts'>) => {
  const counts = new Map<Skipped['reason'], number>()
  for (const { reason } of skipped) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  const reasons = [...counts].map(([reason, count]) => words.leftOutFor(count, texts.payouts.skipReasons[reason]))
  return (
    <details open={payouts === 0 || skipped.length <= 10}>
      <summary>
        {words.leftOut(skippedCount)}: {reasons.join(', ')}
      </summary>
      <Table caption={words.leftOut(skippedCount)} columns={columns} rows={skipped} keyOf={({ payout }) => payout.id} />
    </details>
  )
}
