import { Link } from '@tanstack/react-router'
import { Boxes, CircleUserRound, House } from 'lucide-react'
import { useMemo } from 'react'
import { Provider } from 'urql'
import { setLocale } from '../../parts/locale.ts'
import { createClient } from '../api/client.ts'
import { useSession } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { AccountMenu } from './account-menu.tsx'
import { Shell } from './shell.tsx'

/** The views that belong to no program: one's own account, and the programs of the service. */
export function PlainShell({ onSignedOut }: { onSignedOut(): void }) {
  setLocale(undefined)
  const client = useMemo(() => createClient(null, onSignedOut), [onSignedOut])
  return (
    <Provider value={client}>
      <Shell
        top={<p className="program-button">{texts.dashboard}</p>}
        navigation={<Views />}
        account={<AccountMenu />}
      />
    </Provider>
  )
}

function Views() {
  const { person, programs } = useSession()
  const current = { className: 'current', 'aria-current': 'page' as const }
  return (
    <ul className="views">
      {person.isOperator && (
        <li>
          <Link to="/programs" activeProps={current}>
            <Boxes />
            {texts.views.programs}
          </Link>
        </li>
      )}
      <li>
        <Link to="/account" activeProps={current}>
          <CircleUserRound />
          {texts.views.account}
        </Link>
      </li>
      {programs.slice(0, 10).map(({ program }) => (
        <li key={program.id}>
          <Link to="/$program/home" params={{ program: program.slug }}>
            <House />
            {program.name}
          </Link>
        </li>
      ))}
    </ul>
  )
}
