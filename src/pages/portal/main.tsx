import { createRoot } from 'react-dom/client'
import '../parts/style/base.css'
import '../parts/style/chart.css'
import '../parts/style/table.css'
import './style/page.css'
import { Portal } from './portal.tsx'
import { hasTicket, startSession } from './session.ts'
import { firstChoice, setLanguage } from './texts/texts.ts'

startSession()
// A sign-in link that is opened in a tab with the portal changes only the fragment, which does not load the page again.
addEventListener('hashchange', () => {
  if (hasTicket()) startSession()
})
// The page appears once, in its language.
void setLanguage(firstChoice()).then(() =>
  createRoot(document.getElementById('page') as HTMLElement).render(<Portal />),
)
