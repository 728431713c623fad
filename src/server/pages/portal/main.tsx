import { createRoot } from 'react-dom/client'
import './style/base.css'
import './style/page.css'
import { Portal } from './portal.tsx'
import { begin, hasTicket } from './session.ts'

begin()
// A link that is opened in a tab where the page is already changes nothing but the fragment.
addEventListener('hashchange', () => {
  if (hasTicket()) begin()
})
createRoot(document.getElementById('page') as HTMLElement).render(<Portal />)
