import './workers.ts'
import 'graphiql/style.css'
import './style/all.css'
import { createRoot } from 'react-dom/client'
import { Page } from './page.tsx'
import { readLink } from './query-link.ts'

const linked = await readLink(location.hash)
// The query is now in a tab. A reload shows that tab, with the user's changes.
if (linked) history.replaceState(null, '', location.pathname + location.search)
createRoot(document.getElementById('page') as HTMLElement).render(<Page linked={linked} />)
