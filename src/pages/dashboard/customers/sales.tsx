import { Link } from '@tanstack/react-router'
import type { CustomerSaleFragment, WholeCustomerFragment } from '../../../generated/dashboard/customers/graphql.ts'
import { formatMoney } from '../../parts/format.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { affiliateColumn, dayColumn } from '../money/columns.tsx'
import { Outcome, SaleLink } from '../sales/attributed.tsx'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { Card } from '../ui/card.tsx'

const words = texts.customers

const columns: Column<CustomerSaleFragment>[] = [
  { name: texts.sales.sale, cell: (sale) => <SaleLink sale={sale} /> },
  affiliateColumn(),
  dayColumn(texts.sales.occurred, ({ occurredAt }) => occurredAt),
  { name: texts.sales.outcome, isPlain: true, cell: ({ outcome }) => <Outcome outcome={outcome} /> },
  {
    name: texts.sales.amount,
    isNumber: true,
    cell: ({ amountCents, refundedCents, currency }) => (
      <>
        {formatMoney(amountCents, currency)}
        {refundedCents > 0 && <p className="quiet">{texts.sales.less(formatMoney(refundedCents, currency))}</p>}
      </>
    ),
  },
]

/** What the customer bought, newest first, with what was refunded. */
export function CustomerSales({ customer: { id, sales } }: { customer: WholeCustomerFragment }) {
  const { program } = useProgram()
  return (
    <Card
      title={texts.views.sales}
      actions={
        sales.totalCount > sales.nodes.length && (
          <Link to="/$program/sales" params={{ program: program.slug }} search={{ customer: id }}>
            {words.allSales}
          </Link>
        )
      }
    >
      {sales.nodes.length === 0 ? (
        <p className="quiet">{words.noSales}</p>
      ) : (
        <Table
          caption={words.salesOf(sales.totalCount)}
          columns={columns}
          rows={sales.nodes}
          keyOf={({ id: saleId }) => saleId}
        />
      )}
    </Card>
  )
}
