import {
  InvoiceFiltersDocument,
  InvoiceListDocument,
  InvoicePapersDocument,
  type InvoicePapersQuery,
  type InvoiceRowFragment,
} from '../../../../generated/dashboard/payouts/invoices/graphql.ts'
import { FailureNotice } from '../../../parts/failure-notice.tsx'
import { formatMoney } from '../../../parts/format.tsx'
import type { Column } from '../../../parts/table.tsx'
import { useData } from '../../api/use-data.ts'
import { List } from '../../list/list.tsx'
import type { ListSearch } from '../../list/search.ts'
import { useListState } from '../../list/use-list-state.ts'
import { affiliateFilter } from '../../money/affiliate-filter.ts'
import { affiliateColumn } from '../../money/columns.tsx'
import { useProgram } from '../../session/use-program.ts'
import { texts } from '../../texts.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { Page } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { PayoutTabs } from '../payout-tabs.tsx'
import { InvoiceActions } from './actions.tsx'
import { InvoicesOfMonth } from './month.tsx'
import { SelfBillingText } from './self-billing.tsx'
import { InvoiceSettings } from './settings.tsx'

const words = texts.invoices

const columns: Column<InvoiceRowFragment>[] = [
  { name: words.list.number, cell: ({ number }) => number, csv: ({ number }) => number },
  { ...affiliateColumn<InvoiceRowFragment>() },
  {
    name: words.list.kind,
    cell: ({ kind, isCancelled }) => (
      <>
        {words.list.kinds[kind]} {isCancelled && <Badge tone="bad">{words.list.cancelled}</Badge>}
      </>
    ),
    csv: ({ kind }) => words.list.kinds[kind],
  },
  { name: words.list.month, cell: ({ month }) => month, csv: ({ month }) => month },
  { name: words.list.issuedOn, cell: ({ issuedOn }) => issuedOn, csv: ({ issuedOn }) => issuedOn },
  {
    name: words.list.vat,
    isNumber: true,
    cell: ({ vatCents, currency }) => formatMoney(vatCents, currency),
    csv: ({ vatCents: cents, currency }) => ({ cents, currency }),
  },
  {
    name: words.list.total,
    isNumber: true,
    cell: ({ grossCents, currency }) => formatMoney(grossCents, currency),
    csv: ({ grossCents: cents, currency }) => ({ cents, currency }),
  },
  { name: words.list.files, isPlain: true, cell: (invoice) => <InvoiceActions invoice={invoice} /> },
]

const whereOf = ({ month, affiliate, search }: ListSearch) => ({
  ...(month && { month: { equals: month } }),
  ...(affiliate && { affiliateId: { equals: affiliate } }),
  ...(search && { affiliate: { search } }),
})

/** What keeps a program from making invoices. Undefined: nothing. */
function lackOf({ program, selfBillingVersions, statementMonths }: InvoicePapersQuery): string | undefined {
  const { payerName, payerStreet, payerCity, payerCountry } = program.taxSettings
  if (!payerName || !payerStreet || !payerCity || !payerCountry) return words.needsCompany
  if (selfBillingVersions.length === 0) return words.needsText
  return statementMonths.some(({ closedAt }) => closedAt) ? undefined : words.needsMonth
}

/** The invoices of affiliates, those that a closed month lacks, the text of self-billing and the settings. */
export function Invoices() {
  const { canPay } = useProgram()
  const state = useListState()
  const { affiliate } = state.search
  const { data, failure, retry } = useData(InvoicePapersDocument, {})
  const { data: named } = useData(InvoiceFiltersDocument, { affiliateId: affiliate ?? '', hasAffiliate: !!affiliate })
  const lack = data && lackOf(data)
  const months = (data?.statementMonths ?? []).flatMap(({ month, closedAt }) => (closedAt ? [month] : []))
  return (
    <Page title={texts.views.payouts} lead={words.lead}>
      <PayoutTabs current="invoices" />
      {failure && <FailureNotice message={failure} onRetry={retry} />}
      {!data && !failure && <Skeleton />}
      {lack && <p className="warning">{lack}</p>}
      {data && !lack && canPay && <InvoicesOfMonth months={months} />}
      <Card title={words.tab}>
        <List
          state={state}
          noun={words.noun}
          document={InvoiceListDocument}
          variables={(search, page) => ({ ...page, where: whereOf(search) })}
          connection={({ invoices }) => invoices}
          columns={columns}
          filters={[
            affiliateFilter(affiliate, named?.affiliate),
            {
              kind: 'choice',
              name: 'month',
              label: words.list.month,
              options: months.map((month) => ({ value: month, name: month })),
            },
          ]}
          empty={{ title: words.list.empty, text: words.list.emptyText }}
        />
      </Card>
      {data && <SelfBillingText versions={data.selfBillingVersions} />}
      {data && canPay && <InvoiceSettings settings={data.program.invoiceSettings} />}
    </Page>
  )
}
