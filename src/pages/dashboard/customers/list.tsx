import {
  CustomersDocument,
  type CustomerWhere,
  type ListedCustomerFragment,
} from '../../../generated/dashboard/customers/graphql.ts'
import type { Column } from '../../parts/table.tsx'
import { AffiliateLink, nameOf } from '../affiliate-name.tsx'
import { CustomerLink } from '../customer-link.tsx'
import { ListPage } from '../list/list-page.tsx'
import { type ListSearch, orderOf } from '../list/search.ts'
import { dayColumn } from '../money/columns.tsx'
import { SaleTabs } from '../sales/sale-tabs.tsx'
import { texts } from '../texts.ts'

const words = texts.customers

const columns: Column<ListedCustomerFragment>[] = [
  {
    name: words.one,
    sort: 'email',
    cell: (customer) => <CustomerLink customer={customer} opens />,
    csv: { [texts.fields.email]: ({ email }) => email, [texts.fields.name]: ({ name }) => name },
  },
  { name: texts.fields.name, cell: ({ name }) => name ?? '–', isEmpty: ({ name }) => !name },
  {
    name: words.by,
    cell: ({ affiliate }) => (affiliate ? <AffiliateLink affiliate={affiliate} /> : words.nobody),
    csv: { [words.by]: ({ affiliate }) => affiliate && nameOf(affiliate) },
  },
  {
    name: words.how,
    cell: ({ source }) => (source ? words.sources[source] : '–'),
    isEmpty: ({ source }) => !source,
    csv: ({ source }) => source && words.sources[source],
  },
  dayColumn(words.since, ({ firstSeenAt }) => firstSeenAt),
  dayColumn(words.until, ({ expiresAt }) => expiresAt, { isEmpty: ({ expiresAt }) => !expiresAt }),
]

const whereOf = ({ search }: ListSearch): CustomerWhere => (search ? { search } : {})

/** The people who bought, or said that they might. */
export const Customers = () => (
  <ListPage
    title={words.title}
    lead={words.lead}
    noun={words.noun}
    document={CustomersDocument}
    variables={(search, page) => ({ ...page, where: whereOf(search), orderBy: orderOf(search, { email: 'EMAIL' }) })}
    connection={({ customers }) => customers}
    columns={columns}
    filters={[{ kind: 'text', name: 'search', label: words.search }]}
    empty={{ title: words.none, text: words.noneText }}
  >
    <SaleTabs current="customers" />
  </ListPage>
)
