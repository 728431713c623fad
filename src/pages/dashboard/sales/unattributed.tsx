import { useState } from 'react'
import {
  type UnattributedFragment,
  UnattributedSalesDocument,
  type UnattributedSaleWhere,
} from '../../../generated/dashboard/sales/graphql.ts'
import { Day, Email, formatMoney } from '../../parts/format.tsx'
import type { Column } from '../../parts/table.tsx'
import { ListPage } from '../list/list-page.tsx'
import type { ListSearch } from '../list/search.ts'
import { signalSentence } from '../money/explanation.tsx'
import { actorName } from '../money/timeline.tsx'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Attribute } from './attribute.tsx'
import { Dismiss } from './dismiss.tsx'
import { SaleTabs } from './sale-tabs.tsx'

const words = texts.sales.lost

const nameOf = ({ externalId, customerName, email }: UnattributedFragment) =>
  externalId ?? customerName ?? email ?? texts.sales.noId

const columns: Column<UnattributedFragment>[] = [
  {
    name: texts.sales.sale,
    cell: (sale) => (nameOf(sale) === sale.email ? <Email address={sale.email} /> : nameOf(sale)),
  },
  {
    name: texts.sales.customer,
    cell: ({ email }) => (email ? <Email address={email} /> : '–'),
    isEmpty: ({ email }) => !email,
  },
  { name: words.reason, cell: (sale) => <Reason sale={sale} /> },
  { name: texts.sales.occurred, cell: ({ occurredAt }) => <Day at={occurredAt} /> },
  { name: texts.money.amount, isNumber: true, cell: ({ amountCents, currency }) => formatMoney(amountCents, currency) },
]

/** What the report named, and why that led to no affiliate. */
function Reason({ sale: { signals, coupon } }: { sale: UnattributedFragment }) {
  const tried = signals.filter(({ outcome }) => outcome !== 'NOT_GIVEN' && outcome !== 'NOT_TRIED')
  if (tried.length === 0) return words.noReason
  return (
    <>
      {signalSentence(tried)}
      {coupon && (
        <p className="quiet">
          {texts.money.signals.COUPON} <code>{coupon}</code>
        </p>
      )}
    </>
  )
}

const whereOf = ({ sale, email }: ListSearch): UnattributedSaleWhere => ({
  ...(sale && { externalId: { equals: sale } }),
  ...(email && { email: { equals: email } }),
})

const dismissedColumn: Column<UnattributedFragment> = {
  name: words.dismissed,
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
          { kind: 'text', name: 'sale', label: words.searchId },
          { kind: 'text', name: 'email', label: words.searchEmail },
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
