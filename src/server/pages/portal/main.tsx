import { createRoot } from 'react-dom/client'
import './style/base.css'
import './style/page.css'
import { Portal } from './portal.tsx'
import { hasTicket, startSession } from './session.ts'

startSession()
// A sign-in link that is opened in a tab with the portal changes only the fragment, which does not load the page again.
addEventListener('hashchange', () => {
  if (hasTicket()) startSession()
})
createRoot(document.getElementById('page') as HTMLElement).render(<Portal />)
