import { Link } from '@tanstack/react-router'
import { Scale } from 'lucide-react'
import { useEffect, useMemo } from 'react'
import { Provider } from 'urql'
import { setLocale } from '../../parts/locale.ts'
import { rememberProgram } from '../../parts/remembered-program.ts'
import { createClient } from '../api/client.ts'
import { type Opened, ProgramContext } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { programViews } from '../views.ts'
import { AccountMenu } from './account-menu.tsx'
import { ProgramSwitcher } from './program-switcher.tsx'
import { Shell } from './shell.tsx'

/** Everything of one program: its navigation, and a client that asks for its data only. */
export function ProgramShell({ opened, onSignedOut }: { opened: Opened; onSignedOut(): void }) {
  const { slug, locale, isShadow } = opened.program
  // Formats are called while views render, so the locale is set before them.
  setLocale(locale)
  const client = useMemo(() => createClient(slug, onSignedOut), [slug, onSignedOut])
  useEffect(() => rememberProgram(slug), [slug])
  return (
    <Provider value={client} key={slug}>
      <ProgramContext value={opened}>
        <Shell
          top={<ProgramSwitcher />}
          navigation={<Views slug={slug} isShadow={isShadow} />}
          account={<AccountMenu />}
        />
      </ProgramContext>
    </Provider>
  )
}

const current = { className: 'current', 'aria-current': 'page' } as const

/** A shadow has its comparison at hand, which also shows that the program is one. */
const Views = ({ slug, isShadow }: { slug: string; isShadow: boolean }) => (
  <ul className="views">
    {programViews.map(({ path, name, Icon }) => (
      <li key={path}>
        <Link
          to={`/$program/${path}`}
          params={{ program: slug }}
          activeOptions={{ exact: isShadow && path === 'settings' }}
          activeProps={current}
        >
          <Icon />
          {name}
        </Link>
      </li>
    ))}
    {isShadow && (
      <li>
        <Link to="/$program/settings/shadow" params={{ program: slug }} activeProps={current}>
          <Scale />
          {texts.shadow.title}
        </Link>
      </li>
    )}
  </ul>
)
