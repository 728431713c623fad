import { SalesWithoutCommissionDocument, type SalesWithoutCommissionQuery } from '../../generated/portal/graphql.ts'
import { Day, Email, formatMoney } from '../parts/format.tsx'
import type { Column } from '../parts/table.tsx'
import { PagedTable, usePaging } from './paged-table.tsx'
import { texts } from './texts.ts'
import { useQuery } from './use-query.ts'

type Sale = SalesWithoutCommissionQuery['me']['sales']['nodes'][number]

const columnsOf = ({ columns, reasons }: typeof texts.unpaidSales): Column<Sale>[] => [
  { name: columns.customer, cell: ({ customer }) => <Email address={customer?.email ?? texts.commissions.noEmail} /> },
  { name: columns.date, cell: ({ occurredAt }) => <Day at={occurredAt} /> },
  { name: columns.why, cell: ({ noCommissionReason: reason }) => reason && reasons[reason], isPlain: true },
  { name: columns.amount, cell: ({ amountCents, currency }) => formatMoney(amountCents, currency), isNumber: true },
]

/** Sales that earned nothing, and why. Without any, nothing is shown. */
export function UnpaidSales() {
  const words = texts.unpaidSales
  const paging = usePaging()
  const query = useQuery(SalesWithoutCommissionDocument, paging.variables)
  const sales = query.data?.me.sales
  if (!sales?.totalCount) return null
  return (
    <details>
      <summary>{words.title}</summary>
      <PagedTable
        words={words}
        columns={columnsOf(words)}
        connection={sales}
        query={query}
        paging={paging}
        emptyText=""
      />
    </details>
  )
}
