import {
  type CommissionState,
  type PayoutState,
  type TheirCommissionFragment,
  TheirCommissionsDocument,
  type TheirPayoutFragment,
  TheirPayoutsDocument,
  type TheirReferralFragment,
  TheirReferralsDocument,
} from '../../../generated/dashboard/affiliate/graphql.ts'
import { Day, Email, formatMoney } from '../../parts/format.tsx'
import type { Column } from '../../parts/table.tsx'
import { List } from '../list/list.tsx'
import { orderOf } from '../list/search.ts'
import { useLocalListState } from '../list/use-list-state.ts'
import { texts } from '../texts.ts'
import { Badge, type Tone } from '../ui/badge.tsx'
import { Card } from '../ui/card.tsx'
import { Tabs } from '../ui/tabs.tsx'

const words = texts.affiliates.one.lists
const size = 10

/** The referrals, commissions and payouts of an affiliate. */
export const Brought = ({ id }: { id: string }) => (
  <Card title={words.title}>
    <Tabs
      tabs={[
        { key: 'referrals', name: words.referrals, content: <Referrals id={id} /> },
        { key: 'commissions', name: words.commissions, content: <Commissions id={id} /> },
        { key: 'payouts', name: words.payouts, content: <Payouts id={id} /> },
      ]}
    />
  </Card>
)

const conversionTones = { VISITOR: 'plain', LEAD: 'wait', CONVERSION: 'good' } as const
const commissionTones: Record<CommissionState, Tone> = { PENDING: 'wait', DUE: 'good', PAID: 'plain', VOID: 'bad' }
const payoutTones: Record<PayoutState, Tone> = { PENDING: 'wait', PAID: 'good', FAILED: 'bad' }

const customerOf = (customer: { email: string } | null) =>
  customer ? <Email address={customer.email} /> : <span className="quiet">{words.visitor}</span>

const referralColumns: Column<TheirReferralFragment>[] = [
  { name: words.customer, cell: ({ customer }) => customerOf(customer) },
  { name: words.by, cell: ({ link, coupon }) => <code>{coupon?.token ?? link?.token ?? '–'}</code> },
  { name: words.since, cell: ({ createdAt }) => <Day at={createdAt} /> },
  { name: words.expiresAt, cell: ({ expiresAt }) => <Day at={expiresAt} /> },
  {
    name: texts.affiliates.columns.state,
    isPlain: true,
    cell: ({ conversionState: state }) => <Badge tone={conversionTones[state]}>{words.conversionStates[state]}</Badge>,
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

const commissionColumns: Column<TheirCommissionFragment>[] = [
  { name: words.customer, cell: ({ sale }) => customerOf(sale.customer) },
  { name: words.earnedAt, cell: ({ sale }) => <Day at={sale.occurredAt} />, sort: 'sale' },
  { name: words.dueAt, cell: ({ dueAt }) => <Day at={dueAt} />, sort: 'due' },
  {
    name: texts.affiliates.columns.state,
    isPlain: true,
    cell: ({ state, heldReason }) => (
      <Badge tone={commissionTones[state]}>
        {heldReason !== null && state === 'PENDING' ? words.held : words.commissionStates[state]}
      </Badge>
    ),
  },
  {
    name: words.amount,
    cell: ({ amountCents, currency }) => formatMoney(amountCents, currency),
    isNumber: true,
    sort: 'amount',
  },
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
  { name: words.openedAt, cell: ({ createdAt }) => <Day at={createdAt} /> },
  { name: words.paidAt, cell: ({ paidAt }) => (paidAt ? <Day at={paidAt} /> : '–'), isEmpty: ({ paidAt }) => !paidAt },
  { name: words.reference, cell: ({ reference }) => reference ?? '–', isEmpty: ({ reference }) => !reference },
  {
    name: texts.affiliates.columns.state,
    isPlain: true,
    cell: ({ state }) => <Badge tone={payoutTones[state]}>{words.payoutStates[state]}</Badge>,
  },
  {
    name: words.amount,
    cell: ({ amountCents, currency }) => formatMoney(amountCents, currency),
    isNumber: true,
    sort: 'amount',
  },
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
