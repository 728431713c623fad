import { Link } from '@tanstack/react-router'
import { SubsDocument, type SubsQueryVariables } from '../../../generated/dashboard/analytics/graphql.ts'
import { formatMoney } from '../../parts/format.tsx'
import { formatNumber } from '../../parts/locale.ts'
import { type Column, Table } from '../../parts/table.tsx'
import { nameOf } from '../affiliate-name.tsx'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { Report } from './report.tsx'

const words = texts.analytics.subs

type SubsProps = {
  about: Omit<SubsQueryVariables, 'where'>
  /** Only those of this affiliate. */
  affiliateId?: string
  actions?: React.ReactNode
}

/** What the sub-ids of affiliates brought (`?via=ada&sub=video-12`). */
export function Subs({ about, affiliateId, actions }: SubsProps) {
  const { program } = useProgram()
  return (
    <Report
      title={words.title}
      lead={words.lead}
      document={SubsDocument}
      variables={{ ...about, where: affiliateId === undefined ? null : { affiliateId: { equals: affiliateId } } }}
      view="table"
      isEmpty={({ analytics }) => analytics.subs.length === 0}
      empty={{ title: words.none, text: words.noneText }}
      actions={actions}
    >
      {({ analytics: { subs } }) => {
        const whose: Column<(typeof subs)[number]> = {
          name: words.affiliate,
          cell: ({ affiliate }) =>
            affiliate && (
              <Link to="/$program/affiliates/$id" params={{ program: program.slug, id: affiliate.id }}>
                {nameOf(affiliate)}
              </Link>
            ),
        }
        return (
          <Table
            caption={words.title}
            columns={[...columns.slice(0, 1), ...(affiliateId === undefined ? [whose] : []), ...columns.slice(1)]}
            rows={subs}
            keyOf={({ sub, affiliate }) => `${affiliate?.id} ${sub}`}
          />
        )
      }}
    </Report>
  )
}

type Sub = {
  sub: string
  visitors: number
  leads: number
  conversions: number
  sales: number
  salesAmount: { amountCents: number; currency: string }
  commission: { amountCents: number; currency: string }
}

const columns: Column<Sub>[] = [
  { name: words.sub, cell: ({ sub }) => <code>{sub}</code> },
  { name: words.visitors, cell: ({ visitors }) => formatNumber(visitors), isNumber: true },
  { name: words.leads, cell: ({ leads }) => formatNumber(leads), isNumber: true },
  { name: words.sales, cell: ({ sales }) => formatNumber(sales), isNumber: true },
  {
    name: words.salesAmount,
    cell: ({ salesAmount: { amountCents, currency } }) => formatMoney(amountCents, currency),
    isNumber: true,
  },
  {
    name: words.commission,
    cell: ({ commission: { amountCents, currency } }) => formatMoney(amountCents, currency),
    isNumber: true,
  },
]
