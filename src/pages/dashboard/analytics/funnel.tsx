import { FunnelsDocument, type FunnelsQuery } from '../../../generated/dashboard/analytics/graphql.ts'
import { formatNumber } from '../../parts/locale.ts'
import { texts } from '../texts.ts'
import { Scrolls } from '../ui/scrolls.tsx'
import { ChoiceOfSubjects } from './choice-of-subjects.tsx'
import { formatRate } from './metrics.ts'
import type { ReportsProps } from './props.ts'
import { Report } from './report.tsx'
import { inAddress, subjects } from './report-settings.ts'
import { SubjectLink } from './subject-link.tsx'

const words = texts.analytics

type Funnel = FunnelsQuery['analytics']['funnel'][number]

/** Each counts people. Sales are no step: one person buys several times. */
const steps = ['visitors', 'leads', 'conversions'] as const

/** How many visitors become leads, and how many buy: of the program, or of each affiliate, campaign, link or coupon. */
export function Funnel({ asked: { funnel: by }, about, choose }: ReportsProps) {
  return (
    <Report
      title={words.funnel}
      lead={words.funnelLead}
      document={FunnelsDocument}
      variables={{ ...about, by: by === 'ALL' ? null : by }}
      view="chart"
      isEmpty={({ analytics }) =>
        analytics.funnel.every((funnel) => [...steps, 'sales' as const].every((step) => funnel[step] === 0))
      }
      actions={
        <ChoiceOfSubjects value={by} values={subjects} onChange={(value) => choose({ funnel: inAddress(value) })} />
      }
    >
      {({ analytics: { funnel: funnels } }) => {
        const [first] = funnels
        if (first?.subjectId === null) return <Steps funnel={first} />
        return <Funnels funnels={funnels} of={by} />
      }}
    </Report>
  )
}

function Steps({ funnel }: { funnel: Funnel }) {
  const most = Math.max(1, ...steps.map((step) => funnel[step]))
  const rates = { leads: funnel.leadRate, conversions: funnel.conversionRate }
  return (
    <>
      <ol className="ranking">
        {steps.map((step) => (
          <li key={step}>
            <span>
              {words.steps[step]}
              {step !== 'visitors' && <span className="quiet"> {words.ofVisitors(formatRate(rates[step]))}</span>}
            </span>
            <span className="number">{formatNumber(funnel[step])}</span>
            <progress value={funnel[step]} max={most} aria-hidden="true" />
          </li>
        ))}
      </ol>
      <p className="quiet">{words.salesOf(funnel.sales)}</p>
    </>
  )
}

/** A row for each affiliate, campaign, link or coupon. */
const Funnels = ({ funnels, of }: { funnels: readonly Funnel[]; of: string }) => (
  <Scrolls name={words.tableOf(words.funnel)}>
    <table className="grid wide">
      <thead>
        <tr>
          <th scope="col">{words.name}</th>
          {[...steps.map((step) => words.steps[step]), words.leadRate, words.conversionRate, words.sales].map(
            (name) => (
              <th key={name} scope="col" className="number">
                {name}
              </th>
            ),
          )}
        </tr>
      </thead>
      <tbody>
        {funnels.map((funnel) => (
          <tr key={funnel.subjectId}>
            <th scope="row">
              <SubjectLink of={of} subject={funnel} />
            </th>
            {steps.map((step) => (
              <td key={step} className="number">
                {formatNumber(funnel[step])}
              </td>
            ))}
            <td className="number">{formatRate(funnel.leadRate)}</td>
            <td className="number">{formatRate(funnel.conversionRate)}</td>
            <td className="number">{formatNumber(funnel.sales)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </Scrolls>
)
