import { timeZone } from '../figures/ranges.ts'
import { useListState } from '../list/use-list-state.ts'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { Page } from '../ui/page.tsx'
import { OwedByAge } from './aging.tsx'
import { Cohorts } from './cohorts.tsx'
import { Funnel } from './funnel.tsx'
import { Owed } from './liability.tsx'
import { LifetimeValue } from './lifetime-value.tsx'
import { metrics } from './metrics.ts'
import { Movers } from './movers.tsx'
import { OverTime } from './over-time.tsx'
import { Ranking } from './ranking.tsx'
import { rangeOf, readAsked } from './report-settings.ts'
import { Scope } from './scope.tsx'
import { Subs } from './subs.tsx'
import { TimeToSale } from './time-to-sale.tsx'
import { Totals } from './totals.tsx'
import { Unattributed } from './unattributed.tsx'

/** The reports of the program. What they show is in the address, so that a view of them can be bookmarked and sent. */
export function Analytics() {
  const { program } = useProgram()
  const state = useListState()
  const asked = readAsked(state.search, metrics, program.currency)
  const about = { range: rangeOf(asked), timeZone, currency: asked.currency }
  const props = { asked, about, choose: state.filter }
  return (
    <Page title={texts.views.analytics} lead={texts.analytics.lead}>
      <Scope asked={asked} state={state} timeZone={timeZone} />
      <Totals {...props} />
      <OverTime {...props} />
      <Ranking key={asked.metric} {...props} />
      <Movers {...props} />
      <Funnel {...props} />
      <Subs about={about} />
      <TimeToSale {...props} />
      <Cohorts {...props} />
      <LifetimeValue {...props} />
      <Unattributed {...props} />
      <Owed {...props} />
      <OwedByAge {...props} />
    </Page>
  )
}
