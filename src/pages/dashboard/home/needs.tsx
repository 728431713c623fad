import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { NeedsDocument, type NeedsQuery } from '../../../generated/dashboard/home/graphql.ts'
import { FailureNotice } from '../../parts/failure-notice.tsx'
import { formatMoney } from '../../parts/format.tsx'
import { formatNumber } from '../../parts/locale.ts'
import { useData } from '../api/use-data.ts'
import type { ListSearch } from '../list/search.ts'
import { useProgram, useSession } from '../session/use-program.ts'
import type { ViewPath } from '../shell/views.ts'
import { texts } from '../texts.ts'
import { Card } from '../ui/card.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { DataCheck } from './data-check.tsx'

const words = texts.home.needs

type Need = { key: string; value: string; name: string; path: ViewPath; search?: ListSearch }

/** What waits for a person. Each leads to the list that shows it. */
export function Needs() {
  const { data, failure, retry } = useData(NeedsDocument, {})
  const needs = data && needsOf(data)
  const { backupProblem } = useSession()
  return (
    <Card title={words.title}>
      {failure && <FailureNotice message={failure} onRetry={retry} />}
      {!needs && !failure && <Skeleton />}
      {needs && (
        <ul className="needs">
          {needs.map((need) => (
            <NeedLink key={need.key} need={need} />
          ))}
          {backupProblem && <Quiet>{backupProblem}</Quiet>}
          {needs.length === 0 && !backupProblem && <Quiet>{words.nothing}</Quiet>}
          <DataCheck />
        </ul>
      )}
    </Card>
  )
}

const Quiet = ({ children }: { children: ReactNode }) => <li className="quiet nothing-needed">{children}</li>

function NeedLink({ need: { value, name, path, search } }: { need: Need }) {
  const { program } = useProgram()
  return (
    <li>
      <Link to={`/$program/${path}`} params={{ program: program.slug }} search={search ?? {}}>
        <strong>{value}</strong> <span>{name}</span>
      </Link>
    </li>
  )
}

function needsOf({
  payoutPreview,
  applications,
  held,
  unattributedSales,
  webhookEndpoints,
  feeds,
}: NeedsQuery): Need[] {
  const failing = webhookEndpoints.nodes.filter(
    ({ state, disabledReason }) => state === 'FAILING' || (state === 'DISABLED' && disabledReason !== 'MANUAL'),
  )
  const troubled = feeds.nodes.filter(({ problems }) => problems.length > 0)
  const { totals } = payoutPreview
  const counted = [
    {
      key: 'applications',
      count: applications.totalCount,
      name: words.applications,
      path: 'applications',
      search: {},
    },
    { key: 'held', count: held.totalCount, name: words.held, path: 'commissions', search: { held: 'yes' } },
    {
      key: 'unattributed',
      count: unattributedSales.totalCount,
      name: words.unattributed,
      path: 'sales',
      search: { show: 'unattributed' },
    },
    { key: 'feeds', count: troubled.length, name: words.feeds, path: 'developers', search: {} },
    { key: 'webhooks', count: failing.length, name: words.webhooks, path: 'developers', search: {} },
  ] as const
  return [
    ...totals.flatMap(payable),
    ...totals.flatMap(notYet),
    ...counted
      .filter(({ count }) => count > 0)
      .map(({ count, name, ...rest }) => ({ ...rest, value: formatNumber(count), name: name(count) })),
  ]
}

type Total = NeedsQuery['payoutPreview']['totals'][number]

/** What can be paid now. */
const payable = ({ currency, payablePayouts: count, payableCents }: Total): Need[] =>
  payoutNeed(words.payouts(count), { count, currency, cents: payableCents })

/** What waits for its minimum or the end of a run. */
function notYet({ currency, payouts, payablePayouts, amountCents, payableCents }: Total): Need[] {
  const count = payouts - payablePayouts
  const cents = amountCents === null || payableCents === null ? null : amountCents - payableCents
  return payoutNeed(words.notYet(count), { count, currency, cents, show: 'all' })
}

type Payouts = { count: number; currency: string; cents: number | null; show?: string }

function payoutNeed(name: string, { count, currency, cents, show }: Payouts): Need[] {
  if (count === 0) return []
  const value = cents === null ? formatNumber(count) : formatMoney(cents, currency)
  return [{ key: `${name} in ${currency}`, value, name, path: 'payouts', search: { show, currency } }]
}
