import { CSPProvider } from '@base-ui/react/csp-provider'
import { RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import '../parts/style/base.css'
import '../parts/style/chart.css'
import '../parts/style/table.css'
import './style/base.css'
import './style/shell.css'
import './style/form.css'
import './style/overlay.css'
import './style/find.css'
import './style/list.css'
import './style/views.css'
import './style/developers.css'
import './style/applications.css'
import './style/money.css'
import './style/affiliates.css'
import './style/campaigns.css'
import './style/analytics.css'
import { loadFirstView, router } from './router.tsx'
import { Toasts } from './ui/toast.tsx'

// Its address is relative to the first view. Browsers would look for it again below the next one.
const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
if (icon) icon.href = new URL(icon.href).href

loadFirstView()
createRoot(document.getElementById('page') as HTMLElement).render(
  <CSPProvider disableStyleElements>
    <Toasts>
      <RouterProvider router={router} />
    </Toasts>
  </CSPProvider>,
)
