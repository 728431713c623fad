import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { NeedsDocument, type NeedsQuery } from '../../../generated/dashboard/home/graphql.ts'
import { FailureNotice } from '../../parts/failure-notice.tsx'
import { formatMoney } from '../../parts/format.tsx'
import { formatNumber } from '../../parts/locale.ts'
import { useData } from '../api/use-data.ts'
import type { ListSearch } from '../list/search.ts'
import { useProgram } from '../session/use-program.ts'
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
  return (
    <Card title={words.title}>
      {failure && <FailureNotice message={failure} onRetry={retry} />}
      {!needs && !failure && <Skeleton />}
      {needs && (
        <ul className="needs">
          {needs.map((need) => (
            <NeedLink key={need.key} need={need} />
          ))}
          {needs.length === 0 && <Quiet>{words.nothing}</Quiet>}
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

function needsOf({ payouts, held, unattributedSales, webhookEndpoints }: NeedsQuery): Need[] {
  const failing = webhookEndpoints.nodes.filter(
    ({ state, disabledReason }) => state === 'FAILING' || (state === 'DISABLED' && disabledReason !== 'MANUAL'),
  )
  const due = payouts.groupBy
    .filter(({ sum }) => sum.amount.amountCents > 0)
    .map(({ currency, count, sum }) => ({
      key: `payouts in ${currency}`,
      value: formatMoney(sum.amount.amountCents, currency ?? ''),
      name: words.payouts(count),
      path: 'payouts' as const,
      search: { show: 'all', currency: currency ?? undefined },
    }))
  const counted = [
    { key: 'held', count: held.totalCount, name: words.held, path: 'commissions', search: { held: 'yes' } },
    {
      key: 'unattributed',
      count: unattributedSales.totalCount,
      name: words.unattributed,
      path: 'sales',
      search: { show: 'unattributed' },
    },
    { key: 'webhooks', count: failing.length, name: words.webhooks, path: 'developers', search: {} },
  ] as const
  return [
    ...due,
    ...counted
      .filter(({ count }) => count > 0)
      .map(({ count, name, ...rest }) => ({ ...rest, value: formatNumber(count), name: name(count) })),
  ]
}
