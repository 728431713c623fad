import './workers.ts'
import 'graphiql/style.css'
import './style/all.css'
import { createRoot } from 'react-dom/client'
import { readLink } from '../parts/query-link.ts'
import { Page } from './page.tsx'
import { startSessionOfPerson } from './session.ts'

const linked = await readLink(location.hash)
// The query is now in a tab. A reload shows that tab, with the user's changes.
if (linked) history.replaceState(null, '', location.pathname + location.search)
await startSessionOfPerson()
createRoot(document.getElementById('page') as HTMLElement).render(<Page linked={linked} />)
