import { timeZone } from '../figures/ranges.ts'
import { useListState } from '../list/use-list-state.ts'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { Page } from '../ui/page.tsx'
import { Cohorts } from './cohorts.tsx'
import { Funnel } from './funnel.tsx'
import { Owed } from './liability.tsx'
import { metrics } from './metrics.ts'
import { OverTime } from './over-time.tsx'
import { Ranking } from './ranking.tsx'
import { rangeOf, readAsked } from './report-settings.ts'
import { Scope } from './scope.tsx'
import { Subs } from './subs.tsx'
import { Totals } from './totals.tsx'

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
      <Funnel {...props} />
      <Subs about={about} />
      <Cohorts {...props} />
      <Owed {...props} />
    </Page>
  )
}
