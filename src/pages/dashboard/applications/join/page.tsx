import { texts } from '../../texts.ts'
import { Page } from '../../ui/page.tsx'

export const Join = () => <Page title={texts.applications.join.title}>x</Page>
