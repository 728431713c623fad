import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { NeedsDocument, type NeedsQuery } from '../../../generated/dashboard/home/graphql.ts'
import { FailureNotice } from '../../parts/failure-notice.tsx'
import { formatMoney } from '../../parts/format.tsx'
import { formatNumber } from '../../parts/locale.ts'
import { useData } from '../api/use-data.ts'
import type { ListSearch } from '../list/search.ts'
import { useProgram, useSession } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { Card } from '../ui/card.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import type { ViewPath } from '../views.ts'
import { DataCheck } from './data-check.tsx'

const words = texts.home.needs

type Need = {
  key: string
  value: string
  name: string
  path: ViewPath | 'payouts/runs' | 'sales/events'
  search?: ListSearch
}

const backForDays = 30

/** What waits for a person. Each leads to the list that shows it. */
export function Needs() {
  // A day, so that the question stays the same while the page is open.
  const [since] = useState(() => new Date(Date.now() - backForDays * 86_400_000).toISOString())
  const { data, failure, retry } = useData(NeedsDocument, { since })
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

function needsOf({ payoutPreview, webhookEndpoints, feeds, ...counts }: NeedsQuery): Need[] {
  const { applications, proposals, held, unattributedSales, back, unclaimed, prepared, sent, feedEvents } = counts
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
    { key: 'proposals', count: proposals.totalCount, name: words.proposals, path: 'proposals', search: {} },
    { key: 'held', count: held.totalCount, name: words.held, path: 'commissions', search: { held: 'yes' } },
    {
      key: 'unattributed',
      count: unattributedSales.totalCount,
      name: words.unattributed,
      path: 'sales',
      search: { show: 'unattributed', attention: 'yes' },
    },
    { key: 'back', count: back.totalCount, name: words.back, path: 'payouts/runs', search: {} },
    { key: 'unclaimed', count: unclaimed.totalCount, name: words.unclaimed, path: 'payouts/runs', search: {} },
    { key: 'prepared', count: prepared.totalCount, name: words.prepared, path: 'payouts/runs', search: {} },
    { key: 'sent', count: sent.totalCount, name: words.sent, path: 'payouts/runs', search: { state: 'SENT' } },
    {
      key: 'feedEvents',
      count: feedEvents.totalCount,
      name: words.feedEvents,
      path: 'sales/events',
      search: { outcome: 'FAILED' },
    },
    { key: 'feeds', count: troubled.length, name: words.feeds, path: 'developers', search: {} },
    { key: 'webhooks', count: failing.length, name: words.webhooks, path: 'developers', search: {} },
  ] as const
  return [
    ...totals.flatMap(payable),
    ...counted
      .filter(({ count }) => count > 0)
      .map(({ count, name, ...rest }) => ({ ...rest, value: formatNumber(count), name: name(count) })),
  ]
}

type Total = NeedsQuery['payoutPreview']['totals'][number]

/** What can be paid now. */
const payable = ({ currency, payablePayouts: count, payableCents }: Total): Need[] =>
  payoutNeed(words.payouts(count), { count, currency, cents: payableCents })

type Payouts = { count: number; currency: string; cents: number | null }

function payoutNeed(name: string, { count, currency, cents }: Payouts): Need[] {
  if (count === 0) return []
  const value = cents === null ? formatNumber(count) : formatMoney(cents, currency)
  return [{ key: `${name} in ${currency}`, value, name, path: 'payouts', search: { currency } }]
}
