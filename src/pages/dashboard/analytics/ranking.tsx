import { Link } from '@tanstack/react-router'
import { RankingDocument } from '../../../generated/dashboard/analytics/graphql.ts'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { Choice } from '../ui/choice.tsx'
import { dimensions, inAddress } from './asked.ts'
import { formatsOf, wholeOf } from './metrics.ts'
import type { ReportsProps } from './props.ts'
import { Report } from './report.tsx'

const words = texts.analytics

/** The affiliates, links and others with the most of the chosen metric. */
export function Ranking({ asked: { metric, top }, about, choose }: ReportsProps) {
  const { program } = useProgram()
  const { format } = formatsOf(metric, about.currency)
  return (
    <Report
      title={words.ranking(words.dimensions[top])}
      lead={words.rankingLead(words.metrics[metric])}
      document={RankingDocument}
      variables={{ ...about, metric, dimension: top }}
      view="chart"
      isEmpty={({ analytics }) => analytics.top.length === 0}
      actions={
        <Choice
          label={words.dimension}
          value={top}
          options={dimensions.map((value) => ({ value, name: words.dimensions[value] }))}
          onChange={(value) => choose({ top: inAddress(value) })}
        />
      }
    >
      {({ analytics: { top: items } }) => {
        const most = Math.max(1, ...items.map((item) => wholeOf(metric, item)))
        return (
          <ol className="ranking">
            {items.map((item) => (
              <li key={item.subjectId ?? item.label}>
                {top === 'AFFILIATE' && item.subjectId ? (
                  <Link to="/$program/affiliates/$id" params={{ program: program.slug, id: item.subjectId }}>
                    {item.label}
                  </Link>
                ) : (
                  <span>{item.label}</span>
                )}
                <span className="number">{format(wholeOf(metric, item))}</span>
                <progress value={Math.max(0, wholeOf(metric, item))} max={most} aria-hidden="true" />
              </li>
            ))}
          </ol>
        )
      }}
    </Report>
  )
}
