import type { PerformanceQuery } from '../../generated/portal/graphql.ts'
import { formatMoney } from '../parts/format.tsx'
import { formatNumber } from '../parts/locale.ts'
import { type Column, Table } from '../parts/table.tsx'
import { texts } from './texts.ts'

type Sub = PerformanceQuery['me']['analytics']['subs'][number]

const columnsOf = ({ columns }: typeof texts.subs): Column<Sub>[] => [
  { name: columns.sub, cell: ({ sub }) => sub },
  { name: columns.visitors, cell: ({ visitors }) => formatNumber(visitors) },
  { name: columns.leads, cell: ({ leads }) => formatNumber(leads) },
  { name: columns.sales, cell: ({ sales }) => formatNumber(sales) },
  {
    name: columns.earned,
    cell: ({ commission: { amountCents, currency } }) => formatMoney(amountCents, currency),
    isNumber: true,
  },
]

/** What each place brought where the affiliate uses a link. */
export const SubTable = ({ subs }: { subs: readonly Sub[] }) =>
  subs.length === 0 ? null : (
    <details>
      <summary>{texts.subs.title}</summary>
      <Table caption={texts.subs.caption} columns={columnsOf(texts.subs)} rows={subs} keyOf={({ sub }) => sub} />
    </details>
  )
