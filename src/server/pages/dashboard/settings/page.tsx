import { useSession } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { Page } from '../ui/page.tsx'
import { Imports } from './imports.tsx'
import { People } from './people.tsx'
import { ProgramSettings } from './program.tsx'

/** The program itself, and who has access to it. */
export function Settings() {
  const { person } = useSession()
  return (
    <Page title={texts.views.settings} lead={texts.settings.lead}>
      <ProgramSettings />
      <People />
      {person.isOperator && <Imports />}
    </Page>
  )
}
