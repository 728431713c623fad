import { texts } from '../texts.ts'
import { Page } from '../ui/page.tsx'
import { Beginnings } from './beginnings.tsx'
import { Figures } from './figures.tsx'
import { Needs } from './needs.tsx'
import { Owed } from './owed.tsx'

/** What needs attention, and how the program does. */
export const Home = () => (
  <Page title={texts.views.home}>
    <Beginnings />
    <Needs />
    <Figures />
    <Owed />
  </Page>
)
