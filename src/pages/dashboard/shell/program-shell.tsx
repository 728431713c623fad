import { Link } from '@tanstack/react-router'
import { useEffect, useMemo } from 'react'
import { Provider } from 'urql'
import { setLocale } from '../../parts/locale.ts'
import { rememberProgram } from '../../parts/remembered-program.ts'
import { createClient } from '../api/client.ts'
import { type Opened, ProgramContext } from '../session/use-program.ts'
import { AccountMenu } from './account-menu.tsx'
import { ProgramSwitcher } from './program-switcher.tsx'
import { Shell } from './shell.tsx'
import { programViews } from './views.ts'

/** Everything of one program: its navigation, and a client that asks for its data only. */
export function ProgramShell({ opened, onSignedOut }: { opened: Opened; onSignedOut(): void }) {
  const { slug, locale } = opened.program
  // Formats are called while views render, so the locale is set before them.
  setLocale(locale)
  const client = useMemo(() => createClient(slug, onSignedOut), [slug, onSignedOut])
  useEffect(() => rememberProgram(slug), [slug])
  return (
    <Provider value={client} key={slug}>
      <ProgramContext value={opened}>
        <Shell top={<ProgramSwitcher />} navigation={<Views slug={slug} />} account={<AccountMenu />} />
      </ProgramContext>
    </Provider>
  )
}

const Views = ({ slug }: { slug: string }) => (
  <ul className="views">
    {programViews.map(({ path, name, Icon }) => (
      <li key={path}>
        <Link
          to={`/$program/${path}`}
          params={{ program: slug }}
          activeProps={{ className: 'current', 'aria-current': 'page' }}
        >
          <Icon />
          {name}
        </Link>
      </li>
    ))}
  </ul>
)
