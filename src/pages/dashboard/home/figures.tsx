import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useSubscription } from 'urql'
import {
  ProgramFiguresDocument,
  type ProgramFiguresQuery,
  SaleReportedDocument,
} from '../../../generated/dashboard/home/graphql.ts'
import { formatMoney } from '../../parts/format.tsx'
import { useData } from '../api/use-data.ts'
import { FiguresCard, useWanted } from '../figures/figures-card.tsx'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { Card } from '../ui/card.tsx'
import { Empty } from '../ui/empty.tsx'

const words = texts.home.figures

/** How many milliseconds sales are collected before the figures are asked for again. */
const calmMs = 2_000

/** Revenue, commissions, conversions and visitors with the period before, and the best affiliates. */
export function Figures() {
  const { wanted, setWanted, variables } = useWanted()
  const loaded = useData(ProgramFiguresDocument, variables)
  useEachSale(loaded.retry)
  return (
    <>
      <FiguresCard
        {...loaded}
        title={words.title}
        analytics={loaded.data?.analytics}
        wanted={wanted}
        onWanted={setWanted}
      />
      {loaded.data && <Top analytics={loaded.data.analytics} rangeName={wanted.range.name} />}
    </>
  )
}

function Top({ analytics, rangeName }: { analytics: ProgramFiguresQuery['analytics']; rangeName: string }) {
  const { program } = useProgram()
  const { top, currency } = analytics
  const most = Math.max(1, ...top.map(({ money }) => money?.amountCents ?? 0))
  return (
    <Card title={words.top} lead={words.topLead(rangeName)}>
      {top.length === 0 ? (
        <Empty title={words.noTop} text={words.noTopText} />
      ) : (
        <ol className="ranking">
          {top.map(({ subjectId, label, money }) => (
            <li key={subjectId ?? label}>
              <Link to="/$program/affiliates/$id" params={{ program: program.slug, id: subjectId ?? '' }}>
                {label}
              </Link>
              <span className="number">{formatMoney(money?.amountCents ?? 0, currency)}</span>
              <progress value={money?.amountCents ?? 0} max={most} aria-hidden="true" />
            </li>
          ))}
        </ol>
      )}
    </Card>
  )
}

/**
 * Calls back when sales were reported, at most once in a while. Without subscriptions the figures wait for a reload.
 */
function useEachSale(onSales: () => void) {
  const [{ data }] = useSubscription<object>({ query: SaleReportedDocument.toString() })
  // biome-ignore lint/correctness/useExhaustiveDependencies: each sale counts, whoever listens
  useEffect(() => {
    if (!data) return
    const timer = setTimeout(onSales, calmMs)
    return () => clearTimeout(timer)
  }, [data])
}
