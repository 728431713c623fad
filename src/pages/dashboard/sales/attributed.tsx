import { Link } from '@tanstack/react-router'
import {
  SaleFiltersDocument,
  type SaleFragment,
  type SaleOrderField,
  SalesDocument,
  type SaleWhere,
} from '../../../generated/dashboard/sales/graphql.ts'
import { Day, formatMoney } from '../../parts/format.tsx'
import type { Column } from '../../parts/table.tsx'
import { AffiliateLink, nameOf } from '../affiliates/affiliate.tsx'
import { useData } from '../api/use-data.ts'
import type { Filter } from '../list/filters.tsx'
import { ListPage } from '../list/list-page.tsx'
import { type ListSearch, orderOf } from '../list/search.ts'
import { useListState } from '../list/use-list-state.ts'
import { betweenDays } from '../money/days.ts'
import { totalsOf } from '../money/totals.ts'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { Badge, type Tone } from '../ui/badge.tsx'
import { SaleTabs } from './sale-tabs.tsx'

const words = texts.sales

const tones: Partial<Record<SaleFragment['outcome'], Tone>> = { EARNED: 'good', HELD: 'wait', VOID: 'bad' }

export const Outcome = ({ outcome }: Pick<SaleFragment, 'outcome'>) => (
  <Badge tone={tones[outcome] ?? 'plain'}>{words.outcomes[outcome]}</Badge>
)

/** What the sale earns after refunds and debts, without what is void. */
const earnedBy = ({ commissions }: SaleFragment) =>
  totalsOf(commissions.nodes.filter(({ state }) => state !== 'VOID')) || '–'

const columns: Column<SaleFragment>[] = [
  { name: words.sale, cell: (sale) => <SaleLink sale={sale} /> },
  { name: texts.money.affiliate, cell: ({ affiliate }) => <AffiliateLink affiliate={affiliate} /> },
  { name: texts.money.campaign, cell: ({ campaign }) => campaign.name },
  { name: words.occurred, sort: 'occurred', cell: ({ occurredAt }) => <Day at={occurredAt} /> },
  { name: words.outcome, isPlain: true, cell: ({ outcome }) => <Outcome outcome={outcome} /> },
  { name: words.earned, className: 'right', cell: earnedBy },
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
  },
]

function SaleLink({ sale: { id, externalId, customerName } }: { sale: SaleFragment }) {
  const { program } = useProgram()
  return (
    <Link to="/$program/sales/$id" params={{ program: program.slug, id }}>
      {externalId ?? customerName ?? words.noId}
    </Link>
  )
}

function whereOf({ search, affiliate, campaign, sale, refunded, from, to }: ListSearch): SaleWhere {
  const occurredAt = betweenDays(from, to)
  return {
    ...(sale && { externalId: { equals: sale } }),
    ...(search && { affiliate: { search } }),
    ...(affiliate && { affiliateId: { equals: affiliate } }),
    ...(campaign && { campaignId: { equals: campaign } }),
    ...(refunded === 'yes' && { refundedCents: { gt: 0 } }),
    ...(occurredAt && { occurredAt }),
  }
}

const orders: Record<string, SaleOrderField> = { amount: 'AMOUNT', occurred: 'OCCURRED_AT' }

/** The sales of affiliates, newest first. */
export function AttributedSales() {
  const { search } = useListState()
  return (
    <ListPage
      views="SALES"
      title={texts.views.sales}
      lead={words.lead}
      noun={words.noun}
      document={SalesDocument}
      variables={(search, page) => ({ ...page, where: whereOf(search), orderBy: orderOf(search, orders) })}
      connection={({ sales }) => sales}
      columns={columns}
      filters={useFilters(search)}
      empty={words.empty}
    >
      <SaleTabs current="attributed" />
    </ListPage>
  )
}

/** The filter of one affiliate appears when the address names one. */
function useFilters({ affiliate }: ListSearch): Filter[] {
  const { data } = useData(SaleFiltersDocument, { affiliateId: affiliate ?? '', hasAffiliate: !!affiliate })
  const named = data?.affiliate
  return [
    affiliate
      ? {
          kind: 'choice',
          name: 'affiliate',
          label: texts.money.affiliate,
          options: [{ value: affiliate, name: named ? nameOf(named) : affiliate }],
        }
      : { kind: 'text', name: 'search', label: texts.money.searchAffiliate },
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
