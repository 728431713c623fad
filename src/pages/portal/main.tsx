import { createRoot } from 'react-dom/client'
import '../parts/style/base.css'
import '../parts/style/chart.css'
import '../parts/style/table.css'
import './style/assets.css'
import './style/page.css'
import { isFramed, reportHeight } from '../embed/frame.ts'
import { Portal } from './portal.tsx'
import { hasTicket, startFramedSession, startSession } from './session.ts'
import { firstChoice, setLanguage } from './texts.ts'

if (isFramed) {
  reportHeight()
  startFramedSession()
} else {
  startSession()
  // A sign-in link that is opened in a tab with the portal changes only the fragment: the page is not loaded again.
  addEventListener('hashchange', () => {
    if (hasTicket()) startSession()
  })
}
// The page appears once, in its language.
void setLanguage(firstChoice()).then(() =>
  createRoot(document.getElementById('page') as HTMLElement).render(<Portal />),
)
