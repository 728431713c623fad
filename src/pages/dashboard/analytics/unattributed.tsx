import {
  UnattributedReasonsDocument,
  type UnattributedReasonsQuery,
} from '../../../generated/dashboard/analytics/graphql.ts'
import { formatMoney } from '../../parts/format.tsx'
import { formatNumber } from '../../parts/locale.ts'
import { type Column, Table } from '../../parts/table.tsx'
import { texts } from '../texts.ts'
import type { ReportsProps } from './props.ts'
import { Report } from './report.tsx'

const words = texts.analytics.unattributed

type Reason = UnattributedReasonsQuery['analytics']['unattributedReasons'][number]

/** Why sales have no affiliate. */
export const Unattributed = ({ about }: ReportsProps) => (
  <Report
    title={words.title}
    lead={words.lead}
    document={UnattributedReasonsDocument}
    variables={about}
    view="table"
    isEmpty={({ analytics }) => analytics.unattributedReasons.length === 0}
    empty={{ title: words.none, text: words.noneText }}
  >
    {({ analytics: { unattributedReasons } }) => (
      <Table caption={words.title} columns={columns} rows={unattributedReasons} keyOf={({ reason }) => reason} />
    )}
  </Report>
)

const columns: Column<Reason>[] = [
  { name: words.reason, cell: ({ reason }) => words.reasons[reason] ?? reason },
  { name: texts.analytics.sales, cell: ({ sales }) => formatNumber(sales), isNumber: true },
  { name: words.toDecide, cell: ({ toDecide }) => formatNumber(toDecide), isNumber: true },
  {
    name: words.amount,
    cell: ({ salesAmount: { amountCents, currency } }) => formatMoney(amountCents, currency),
    isNumber: true,
  },
]
