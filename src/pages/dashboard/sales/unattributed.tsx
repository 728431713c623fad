import { useState } from 'react'
import {
  type UnattributedFragment,
  UnattributedSalesDocument,
  type UnattributedSaleWhere,
} from '../../../generated/dashboard/sales/graphql.ts'
import { Day, Email, formatMoney } from '../../parts/format.tsx'
import type { Column } from '../../parts/table.tsx'
import { actorName } from '../history/timeline.tsx'
import { ListPage } from '../list/list-page.tsx'
import { choiceOf, type ListSearch } from '../list/search.ts'
import { dayColumn, NoId } from '../money/columns.tsx'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Attribute } from './attribute.tsx'
import { Dismiss } from './dismiss.tsx'
import { SaleTabs } from './sale-tabs.tsx'
import { triedSentence } from './tried.ts'

const words = texts.sales.lost

const nameOf = ({ externalId, customerName, email }: UnattributedFragment) =>
  externalId ?? customerName ?? email ?? texts.money.noId

const columns: Column<UnattributedFragment>[] = [
  {
    name: texts.sales.sale,
    cell: ({ externalId }) => externalId ?? <NoId />,
    csv: { [texts.sales.externalId]: ({ externalId }) => externalId },
  },
  {
    name: texts.sales.customer,
    cell: ({ email, customerName }) => (email ? <Email address={email} /> : (customerName ?? '–')),
    isEmpty: ({ email, customerName }) => !email && !customerName,
    csv: {
      [texts.sales.customerEmail]: ({ email }) => email,
      [texts.sales.customerName]: ({ customerName }) => customerName,
    },
  },
  { name: words.reason, cell: triedSentence, csv: triedSentence },
  dayColumn(texts.sales.occurred, ({ occurredAt }) => occurredAt),
  {
    name: texts.money.amount,
    isNumber: true,
    cell: ({ amountCents, currency }) => formatMoney(amountCents, currency),
    csv: ({ amountCents: cents, currency }) => ({ cents, currency }),
  },
]

const attentions = ['yes', 'no'] as const

const whereOf = ({ search, attention }: ListSearch): UnattributedSaleWhere => {
  const chosen = choiceOf(attention, attentions)
  return { ...(search && { search }), ...(chosen && { needsAttention: { equals: chosen === 'yes' } }) }
}

const dismissedColumn: Column<UnattributedFragment> = {
  name: words.dismissed,
  csv: ({ dismissedAt }) => dismissedAt,
  cell: ({ dismissedAt, dismissedBy }) =>
    dismissedAt && (
      <>
        <Day at={dismissedAt} /> {dismissedBy && <p className="quiet">{actorName(dismissedBy)}</p>}
      </>
    ),
}

/** Reported sales that matched no affiliate. A person assigns or dismisses them. */
export function UnattributedSales({ isDismissed }: { isDismissed: boolean }) {
  const { canChange } = useProgram()
  const [attributing, setAttributing] = useState<UnattributedFragment>()
  const close = () => setAttributing(undefined)
  const actions: Column<UnattributedFragment> = {
    name: texts.actions,
    isPlain: true,
    className: 'row-actions',
    cell: (sale) => (
      <>
        <button type="button" onClick={() => setAttributing(sale)}>
          {words.attribute}
          <span className="unseen"> {nameOf(sale)}</span>
        </button>{' '}
        <Dismiss sale={sale} name={nameOf(sale)} />
      </>
    ),
  }
  return (
    <>
      <ListPage
        views="SALES"
        title={texts.views.sales}
        lead={isDismissed ? words.dismissedLead : words.lead}
        noun={words.noun}
        document={UnattributedSalesDocument}
        variables={(search, page) => ({
          ...page,
          where: { ...whereOf(search), dismissedAt: isDismissed ? { not: null } : { equals: null } },
        })}
        connection={({ unattributedSales }) => unattributedSales}
        columns={[...columns, ...(isDismissed ? [dismissedColumn] : []), ...(canChange ? [actions] : [])]}
        filters={[
          { kind: 'text', name: 'search', label: words.search },
          {
            kind: 'choice',
            name: 'attention',
            label: words.attention,
            options: attentions.map((value) => ({ value, name: words.attentions[value] })),
            all: words.all,
          },
        ]}
        empty={isDismissed ? words.noneDismissed : words.empty}
      >
        <SaleTabs current={isDismissed ? 'dismissed' : 'unattributed'} />
      </ListPage>
      <Dialog title={words.title} isOpen={!!attributing} onClose={close}>
        {attributing && <Attribute sale={attributing} onDone={close} />}
      </Dialog>
    </>
  )
}
