import { texts } from '../texts.ts'
import { Page } from '../ui/page.tsx'
import { ApiKeys } from './api-keys.tsx'
import { Documentation } from './documentation.tsx'
import { RecentFailedRequests } from './failed-requests.tsx'
import { Feeds } from './feeds.tsx'
import { Tracking } from './tracking.tsx'
import { Webhooks } from './webhooks.tsx'

/** What connects the program to other software. */
export const Developers = () => (
  <Page title={texts.views.developers} lead={texts.developers.lead}>
    <ApiKeys />
    <Tracking />
    <Feeds />
    <Webhooks />
    <RecentFailedRequests />
    <Documentation />
  </Page>
)
