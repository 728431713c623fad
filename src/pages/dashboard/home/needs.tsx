import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { NeedsDocument, type NeedsQuery } from '../../../generated/dashboard/home/graphql.ts'
import { FailureNotice } from '../../parts/failure-notice.tsx'
import { formatMoney } from '../../parts/format.tsx'
import { formatNumber } from '../../parts/locale.ts'
import { useData } from '../api/use-data.ts'
import { useProgram, useSession } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { Card } from '../ui/card.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import type { ViewPath } from '../views.ts'
import { DataCheck } from './data-check.tsx'

const words = texts.home.needs

type Need = NeedsQuery['attention'][number]

/** What waits for a person. Each leads to the list that shows it. */
export function Needs() {
  const { data, failure, retry } = useData(NeedsDocument, {})
  const needs = data?.attention
  const { backupProblem } = useSession()
  return (
    <Card title={words.title}>
      {failure && <FailureNotice message={failure} onRetry={retry} />}
      {!needs && !failure && <Skeleton />}
      {needs && (
        <ul className="needs">
          {needs.map((need) => (
            <NeedLink key={need.kind + need.currency} need={need} />
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

function NeedLink({ need: { count, amountCents, currency, text, page } }: { need: Need }) {
  const { program } = useProgram()
  const [path, search] = page.split('?')
  const value = amountCents === null || currency === null ? formatNumber(count) : formatMoney(amountCents, currency)
  return (
    <li>
      <Link
        to={`/$program/${path as ViewPath}`}
        params={{ program: program.slug }}
        search={Object.fromEntries(new URLSearchParams(search))}
      >
        <strong>{value}</strong> <span>{text}</span>
      </Link>
    </li>
  )
}
