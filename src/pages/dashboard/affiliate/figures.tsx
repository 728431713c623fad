import {
  type CommissionState,
  type PayoutState,
  type TheirCommissionFragment,
  TheirCommissionsDocument,
  type TheirPayoutFragment,
  TheirPayoutsDocument,
  type TheirReferralFragment,
  TheirReferralsDocument,
  type TheirSaleFragment,
  TheirSalesDocument,
} from '../../../generated/dashboard/affiliate/graphql.ts'
import type { Column } from '../../parts/table.tsx'
import { CustomerLink } from '../customer-link.tsx'
import { List } from '../list/list.tsx'
import { orderOf } from '../list/search.ts'
import { useLocalListState } from '../list/use-list-state.ts'
import { amountColumn, dayColumn, NoId, ThingLink } from '../money/columns.tsx'
import { texts } from '../texts.ts'
import { Badge, type Tone } from '../ui/badge.tsx'
import { Card } from '../ui/card.tsx'
import { Tabs } from '../ui/tabs.tsx'

const words = texts.affiliates.one.lists
const size = 10

/** The referrals, sales, commissions and payouts of an affiliate. */
export const Brought = ({ id }: { id: string }) => (
  <Card title={words.title}>
    <Tabs
      tabs={[
        { key: 'referrals', name: words.referrals, content: <Referrals id={id} /> },
        { key: 'sales', name: words.sales, content: <Sales id={id} /> },
        { key: 'commissions', name: words.commissions, content: <Commissions id={id} /> },
        { key: 'payouts', name: words.payouts, content: <Payouts id={id} /> },
      ]}
    />
  </Card>
)

const conversionTones = { VISITOR: 'plain', LEAD: 'wait', CONVERSION: 'good' } as const
const commissionTones: Record<CommissionState, Tone> = { PENDING: 'wait', DUE: 'good', PAID: 'plain', VOID: 'bad' }
const payoutTones: Record<PayoutState, Tone> = { PENDING: 'wait', PAID: 'good', FAILED: 'bad' }

const customerOf = (customer: { id: string; email: string } | null, otherwise = '–') =>
  customer ? <CustomerLink customer={customer} /> : <span className="quiet">{otherwise}</span>

type OfSale = { id: string; externalId: string | null }

const saleLink = ({ id, externalId }: OfSale, opens: boolean) => (
  <ThingLink of="sales" id={id} opens={opens}>
    {externalId ?? <NoId />}
  </ThingLink>
)

const referralColumns: Column<TheirReferralFragment>[] = [
  {
    name: words.customer,
    cell: ({ customer }) => customerOf(customer, words.visitor),
    csv: ({ customer }) => customer?.email,
  },
  {
    name: words.by,
    cell: ({ link, coupon }) => <code>{coupon?.token ?? link?.token ?? '–'}</code>,
    csv: ({ link, coupon }) => coupon?.token ?? link?.token,
  },
  dayColumn(words.since, ({ createdAt }) => createdAt),
  dayColumn(words.expiresAt, ({ expiresAt }) => expiresAt),
  {
    name: texts.affiliates.columns.state,
    isPlain: true,
    cell: ({ conversionState: state }) => <Badge tone={conversionTones[state]}>{words.conversionStates[state]}</Badge>,
    csv: ({ conversionState }) => words.conversionStates[conversionState],
  },
]

const Referrals = ({ id }: { id: string }) => (
  <List
    state={useLocalListState()}
    size={size}
    noun="referral"
    document={TheirReferralsDocument}
    variables={(_search, page) => ({ id, ...page })}
    connection={({ referrals }) => referrals}
    columns={referralColumns}
    empty={{ title: words.noReferrals, text: words.noReferralsText }}
  />
)

const saleColumns: Column<TheirSaleFragment>[] = [
  { name: texts.sales.sale, cell: (sale) => saleLink(sale, true), csv: ({ externalId }) => externalId },
  {
    name: words.customer,
    cell: ({ customer, customerName }) => customerOf(customer, customerName ?? undefined),
    csv: ({ customer, customerName }) => customer?.email ?? customerName,
  },
  dayColumn(texts.sales.occurred, ({ occurredAt }) => occurredAt, { sort: 'occurred' }),
  {
    name: texts.sales.outcome,
    isPlain: true,
    cell: ({ outcome }) => texts.sales.outcomes[outcome],
    csv: ({ outcome }) => texts.sales.outcomes[outcome],
  },
  amountColumn(),
]

const Sales = ({ id }: { id: string }) => (
  <List
    state={useLocalListState()}
    size={size}
    noun="sale"
    document={TheirSalesDocument}
    variables={(search, page) => ({
      id,
      ...page,
      orderBy: orderOf(search, { occurred: 'OCCURRED_AT', amount: 'AMOUNT' } as const),
    })}
    connection={({ sales }) => sales}
    columns={saleColumns}
    empty={{ title: words.noSales, text: words.noSalesText }}
  />
)

const kindWord = ({ kind }: TheirCommissionFragment) => texts.commissions.kinds[kind]

const commissionColumns: Column<TheirCommissionFragment>[] = [
  {
    name: texts.sales.sale,
    cell: ({ sale, kind }) => (sale ? saleLink(sale, false) : texts.commissions.kinds[kind]),
    csv: { [texts.sales.externalId]: ({ sale }) => sale?.externalId, [texts.sales.kind]: kindWord },
  },
  {
    name: words.customer,
    cell: ({ sale, reason }) => (sale ? customerOf(sale.customer) : reason),
    csv: { [words.customer]: ({ sale }) => sale?.customer?.email, [texts.commissions.reason]: ({ reason }) => reason },
  },
  dayColumn(words.earnedAt, ({ occurredAt }) => occurredAt, { sort: 'sale' }),
  dayColumn(words.dueAt, ({ dueAt }) => dueAt, { sort: 'due' }),
  {
    name: texts.affiliates.columns.state,
    isPlain: true,
    cell: ({ state, heldReason }) => (
      <Badge tone={commissionTones[state]}>
        {heldReason !== null && state === 'PENDING' ? words.held : words.commissionStates[state]}
      </Badge>
    ),
    csv: ({ state, heldReason }) =>
      heldReason !== null && state === 'PENDING' ? words.held : words.commissionStates[state],
  },
  amountColumn('commissions'),
]

const Commissions = ({ id }: { id: string }) => (
  <List
    state={useLocalListState()}
    size={size}
    noun="commission"
    document={TheirCommissionsDocument}
    variables={(search, page) => ({
      id,
      ...page,
      orderBy: orderOf(search, { sale: 'OCCURRED_AT', due: 'DUE_AT', amount: 'AMOUNT' } as const),
    })}
    connection={({ commissions }) => commissions}
    columns={commissionColumns}
    empty={{ title: words.noCommissions, text: words.noCommissionsText }}
  />
)

const payoutColumns: Column<TheirPayoutFragment>[] = [
  dayColumn(words.openedAt, ({ createdAt }) => createdAt),
  dayColumn(words.paidAt, ({ paidAt }) => paidAt, { isEmpty: ({ paidAt }) => !paidAt }),
  {
    name: words.reference,
    cell: ({ reference }) => reference ?? '–',
    isEmpty: ({ reference }) => !reference,
    csv: ({ reference }) => reference,
  },
  {
    name: texts.affiliates.columns.state,
    isPlain: true,
    cell: ({ state }) => <Badge tone={payoutTones[state]}>{words.payoutStates[state]}</Badge>,
    csv: ({ state }) => words.payoutStates[state],
  },
  amountColumn('payouts'),
]

const Payouts = ({ id }: { id: string }) => (
  <List
    state={useLocalListState()}
    size={size}
    noun="payout"
    document={TheirPayoutsDocument}
    variables={(search, page) => ({ id, ...page, orderBy: orderOf(search, { amount: 'AMOUNT' } as const) })}
    connection={({ payouts }) => payouts}
    columns={payoutColumns}
    empty={{ title: words.noPayouts, text: words.noPayoutsText }}
  />
)
