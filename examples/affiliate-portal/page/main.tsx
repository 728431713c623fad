import { createRoot } from 'react-dom/client'
import '../../../src/pages/parts/style/base.css'
import '../../../src/pages/parts/style/chart.css'
import '../../../src/pages/parts/style/table.css'
import '../../../src/pages/portal/style/page.css'
import { Dashboard } from '../../../src/pages/portal/dashboard.tsx'
import { QueryContext } from '../../../src/pages/portal/use-query.ts'
import { queryWithBackendToken } from './backend-query.ts'
import { Sales } from './sales.tsx'

createRoot(document.getElementById('page') as HTMLElement).render(
  <QueryContext value={queryWithBackendToken}>
    <Dashboard>
      <Sales />
    </Dashboard>
  </QueryContext>,
)
