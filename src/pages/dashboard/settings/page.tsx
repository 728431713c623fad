import { Link } from '@tanstack/react-router'
import { useProgram, useSession } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { Page } from '../ui/page.tsx'
import { Imports } from './imports.tsx'
import { OwnFields } from './own-fields.tsx'
import { PayoutSettings } from './payouts.tsx'
import { People } from './people.tsx'
import { ProgramSettings } from './program.tsx'

/** The program, and the people and keys with access to it. */
export function Settings() {
  const { person } = useSession()
  const { program } = useProgram()
  return (
    <Page
      title={texts.views.settings}
      lead={texts.settings.lead}
      actions={
        <>
          <Link to="/$program/settings/shadow" params={{ program: program.slug }} className="button">
            {texts.shadow.title}
          </Link>{' '}
          <Link to="/$program/settings/history" params={{ program: program.slug }} className="button">
            {texts.settings.history.open}
          </Link>
        </>
      }
    >
      <ProgramSettings />
      <OwnFields />
      <PayoutSettings />
      <People />
      {person.isOperator && <Imports />}
    </Page>
  )
}
