import type { ClaimFragment, WholeCustomerFragment } from '../../../generated/dashboard/customers/graphql.ts'
import { type Column, Table } from '../../parts/table.tsx'
import { AffiliateLink } from '../affiliate-name.tsx'
import { dayColumn } from '../money/columns.tsx'
import { texts } from '../texts.ts'
import { Badge } from '../ui/badge.tsx'
import { Card } from '../ui/card.tsx'

const words = texts.customers
const { conversionStates } = texts.affiliates.one.lists

const columnsOf = ({ referral }: WholeCustomerFragment): Column<ClaimFragment>[] => [
  { name: texts.money.affiliate, cell: ({ affiliate }) => <AffiliateLink affiliate={affiliate} /> },
  { name: words.how, cell: ({ link, coupon }) => <code>{coupon?.token ?? link?.token ?? '–'}</code> },
  dayColumn(words.since, ({ createdAt }) => createdAt),
  dayColumn(
    words.until,
    ({ endedAt, becameConversionAt, expiresAt }) => endedAt ?? (becameConversionAt ? null : expiresAt),
    { isEmpty: ({ endedAt, becameConversionAt }) => !endedAt && becameConversionAt !== null },
  ),
  {
    name: texts.money.state,
    isPlain: true,
    cell: ({ id, endedAt, conversionState }) =>
      endedAt ? (
        <Badge tone="plain">{words.ended}</Badge>
      ) : (
        <Badge tone={id === referral?.id ? 'good' : 'wait'}>
          {id === referral?.id ? words.counts : conversionStates[conversionState]}
        </Badge>
      ),
  },
]

/** All affiliates who brought the customer at some time. */
export const Claims = ({ customer }: { customer: WholeCustomerFragment }) => (
  <Card title={words.claims} lead={words.claimsLead}>
    {customer.referrals.nodes.length === 0 ? (
      <p className="quiet">{words.noClaims}</p>
    ) : (
      <Table
        caption={words.claimsOf(customer.referrals.totalCount)}
        columns={columnsOf(customer)}
        rows={customer.referrals.nodes}
        keyOf={({ id }) => id}
      />
    )}
  </Card>
)
