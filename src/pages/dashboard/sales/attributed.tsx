import { useState } from 'react'
import {
  SaleFiltersDocument,
  type SaleFragment,
  type SaleOrderField,
  SalesDocument,
  type SaleWhere,
} from '../../../generated/dashboard/sales/graphql.ts'
import { formatMoney } from '../../parts/format.tsx'
import type { Column } from '../../parts/table.tsx'
import { useData } from '../api/use-data.ts'
import { CustomerLink } from '../customer-link.tsx'
import { useAsked } from '../find/use-asked.ts'
import type { Filter } from '../list/filters.tsx'
import { ListPage } from '../list/list-page.tsx'
import { type ListSearch, orderOf } from '../list/search.ts'
import { useListState } from '../list/use-list-state.ts'
import { affiliateFilter, choiceOfOne } from '../money/affiliate-filter.ts'
import { affiliateColumn, campaignColumn, dayColumn, NoId, ThingLink } from '../money/columns.tsx'
import { betweenDays } from '../money/days.ts'
import { totalsOf } from '../money/totals.ts'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { Badge, type Tone } from '../ui/badge.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { RecordSale } from './record-sale.tsx'
import { SaleTabs } from './sale-tabs.tsx'

const words = texts.sales

const tones: Partial<Record<SaleFragment['outcome'], Tone>> = { EARNED: 'good', HELD: 'wait', VOID: 'bad' }

export const Outcome = ({ outcome }: Pick<SaleFragment, 'outcome'>) => (
  <Badge tone={tones[outcome] ?? 'plain'}>{words.outcomes[outcome]}</Badge>
)

/** What the sale earns after refunds and debts, without what is void. */
const earnedBy = ({ commissions }: SaleFragment, program: { currency: string }) =>
  totalsOf(
    commissions.nodes.filter(({ state }) => state !== 'VOID'),
    program,
  ) || '–'

const customerOf = ({ customer, customerName }: Pick<SaleFragment, 'customer' | 'customerName'>) =>
  customer?.email ?? customerName

const columnsOf = (program: { currency: string }): Column<SaleFragment>[] => [
  {
    name: words.sale,
    cell: (sale) => <SaleLink sale={sale} />,
    csv: { [words.externalId]: ({ externalId }) => externalId },
  },
  affiliateColumn(),
  {
    name: words.customer,
    cell: (sale) => <Customer sale={sale} />,
    isEmpty: (sale) => !customerOf(sale),
    csv: {
      [words.customerEmail]: ({ customer }) => customer?.email,
      [words.customerName]: ({ customerName }) => customerName,
    },
  },
  campaignColumn(),
  dayColumn(words.occurred, ({ occurredAt }) => occurredAt, { sort: 'occurred' }),
  {
    name: words.outcome,
    isPlain: true,
    cell: ({ outcome }) => <Outcome outcome={outcome} />,
    csv: ({ outcome }) => words.outcomes[outcome],
  },
  {
    name: words.commission,
    className: 'right',
    cell: (sale) => earnedBy(sale, program),
    csv: (sale) => earnedBy(sale, program),
  },
  {
    name: words.amount,
    isNumber: true,
    sort: 'amount',
    cell: ({ amountCents, refundedCents, currency }) => (
      <>
        {formatMoney(amountCents, currency)}
        {refundedCents > 0 && <p className="quiet">{words.less(formatMoney(refundedCents, currency))}</p>}
      </>
    ),
    csv: {
      [words.amount]: ({ amountCents: cents, currency }) => ({ cents, currency }),
      [words.refunded]: ({ refundedCents: cents, currency }) => ({ cents, currency }),
    },
  },
]

/** An id stands in this column, or none: the customer has a column of their own. */
export const SaleLink = ({ sale: { id, externalId } }: { sale: Pick<SaleFragment, 'id' | 'externalId'> }) => (
  <ThingLink of="sales" id={id} opens>
    {externalId ?? <NoId />}
  </ThingLink>
)

function Customer({ sale }: { sale: SaleFragment }) {
  const customer = customerOf(sale)
  return sale.customer ? <CustomerLink customer={sale.customer} /> : (customer ?? '–')
}

function whereOf({ search, affiliate, customer, campaign, sale, refunded, from, to }: ListSearch): SaleWhere {
  const occurredAt = betweenDays(from, to)
  return {
    ...(sale && { externalId: { equals: sale } }),
    ...(search && { affiliate: { search } }),
    ...(affiliate && { affiliateId: { equals: affiliate } }),
    ...(customer && { customer: { id: { equals: customer } } }),
    ...(campaign && { campaignId: { equals: campaign } }),
    ...(refunded === 'yes' && { refundedCents: { gt: 0 } }),
    ...(occurredAt && { occurredAt }),
  }
}

const orders: Record<string, SaleOrderField> = { amount: 'AMOUNT', occurred: 'OCCURRED_AT' }

/** The sales of affiliates, newest first. */
export function AttributedSales() {
  const { search } = useListState()
  const { program, canChange } = useProgram()
  const [isRecording, setRecording] = useState(false)
  useAsked('record', () => canChange && setRecording(true))
  return (
    <ListPage
      views="SALES"
      title={texts.views.sales}
      lead={words.lead}
      noun={words.noun}
      document={SalesDocument}
      variables={(search, page) => ({ ...page, where: whereOf(search), orderBy: orderOf(search, orders) })}
      connection={({ sales }) => sales}
      columns={columnsOf(program)}
      filters={useFilters(search)}
      empty={words.empty}
      actions={
        canChange && (
          <button type="button" onClick={() => setRecording(true)}>
            {words.byHand.open}
          </button>
        )
      }
    >
      <SaleTabs current="attributed" />
      <Dialog
        title={words.byHand.open}
        lead={words.byHand.lead}
        isOpen={isRecording}
        onClose={() => setRecording(false)}
      >
        <RecordSale />
      </Dialog>
    </ListPage>
  )
}

/** The filters of one affiliate and of one customer appear when the address names one. */
function useFilters({ affiliate, customer }: ListSearch): Filter[] {
  const { data } = useData(SaleFiltersDocument, {
    affiliateId: affiliate ?? '',
    hasAffiliate: !!affiliate,
    customerId: customer ?? '',
    hasCustomer: !!customer,
  })
  return [
    affiliateFilter(affiliate, data?.affiliate),
    ...(customer
      ? [choiceOfOne('customer', words.customer, customer, data?.customer?.name ?? data?.customer?.email)]
      : []),
    { kind: 'text', name: 'sale', label: words.externalId },
    {
      kind: 'choice',
      name: 'campaign',
      label: texts.money.campaign,
      options: (data?.campaigns.nodes ?? []).map(({ id, name }) => ({ value: id, name })),
    },
    { kind: 'choice', name: 'refunded', label: words.refunded, options: [{ value: 'yes', name: texts.money.yes }] },
    { kind: 'day', name: 'from', label: texts.money.from },
    { kind: 'day', name: 'to', label: texts.money.to },
  ]
}
