import './workers.ts'
import 'graphiql/style.css'
import './style/all.css'
import { createRoot } from 'react-dom/client'
import { readLink } from './link.ts'
import { Page } from './page.tsx'

const linked = await readLink(location.hash)
// The query is in its tab from now on; a reload shows the tab as it is then.
if (linked) history.replaceState(null, '', location.pathname + location.search)
createRoot(document.getElementById('page') as HTMLElement).render(<Page linked={linked} />)
