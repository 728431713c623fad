import { RankingDocument } from '../../../generated/dashboard/analytics/graphql.ts'
import { pluralOf } from '../../../kernel/text.ts'
import { texts } from '../texts.ts'
import { Choice } from '../ui/choice.tsx'
import { baseOf, formatsOf, wholeOf } from './metrics.ts'
import type { ReportsProps } from './props.ts'
import { Report } from './report.tsx'
import { dimensions, inAddress } from './report-settings.ts'
import { SubjectLink } from './subject-link.tsx'

const words = texts.analytics

/** A rate of fewer visitors or sales is chance, so that it has no rank. */
const leastBase = 10

/** The affiliates, links and others with the most of the chosen metric. */
export function Ranking({ asked: { metric, top }, about, choose }: ReportsProps) {
  const { format } = formatsOf(metric, about.currency)
  const base = baseOf(metric)
  return (
    <Report
      title={words.ranking(words.dimensions[top])}
      lead={[words.rankingLead(words.metrics[metric]), base && words.rankingMinimum(pluralOf(base))]
        .filter(Boolean)
        .join('. ')}
      document={RankingDocument}
      variables={{ ...about, metric, dimension: top, minimum: base ? leastBase : 1 }}
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
                <span>
                  <SubjectLink of={top} subject={item} />
                </span>
                <span className="number">
                  {format(wholeOf(metric, item))}
                  {base && item.base !== null && <span className="quiet"> {words.ofBase(item.base, base)}</span>}
                </span>
                <progress value={Math.max(0, wholeOf(metric, item))} max={most} aria-hidden="true" />
              </li>
            ))}
          </ol>
        )
      }}
    </Report>
  )
}
