import { type AnyRoute, createRoute, createRouter, notFound, Outlet, redirect } from '@tanstack/react-router'
import { rememberedProgram } from '../parts/remembered-program.ts'
import { basePath, nextAfter } from './address.ts'
import { parseSearch, stringifySearch } from './address-search.ts'
import { readListSearch } from './list/search.ts'
import { openRoutes, root } from './open-routes.ts'
import { forgetSession, readSession } from './session/session.ts'
import { type Opened, SessionContext } from './session/use-program.ts'
import { lazyRouteComponent } from './shell/lazy-view.ts'
import { PlainShell } from './shell/plain-shell.tsx'
import { ProgramShell } from './shell/program-shell.tsx'
import { Broken, Loading, NoProgram, Nothing } from './shell/states.tsx'
import type { ViewPath } from './views.ts'

// Views with a session.

const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  async beforeLoad({ location }) {
    const session = await readSession()
    if (!session) throw redirect({ to: '/sign-in', search: { next: nextAfter(location.href) } })
    return { session }
  },
  component: function SignedIn() {
    const { session } = signedIn.useRouteContext()
    return (
      <SessionContext value={session}>
        <Outlet />
      </SessionContext>
    )
  },
})

const first = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  beforeLoad({ context: { session } }) {
    const remembered = rememberedProgram()
    // Ids are in the order of creation: a new person sees the oldest program first, which can be the demo.
    const oldest = session.programs.toSorted((one, other) => (one.program.id < other.program.id ? -1 : 1))[0]
    const opened = session.programs.find(({ program }) => program.slug === remembered) ?? oldest
    if (opened) throw redirect({ to: '/$program/home', params: { program: opened.program.slug }, replace: true })
    if (session.person.isOperator) throw redirect({ to: '/programs', replace: true })
  },
  component: NoProgram,
})

/** What an application asks for is in the address, and is sent as it is. */
const connect = createRoute({
  getParentRoute: () => signedIn,
  path: '/connect',
  component: lazyRouteComponent(() => import('./connect/page.tsx'), 'Connect'),
})

const plain = createRoute({
  getParentRoute: () => signedIn,
  id: 'plain',
  component: () => <PlainShell onSignedOut={onSignedOut} />,
})
const account = createRoute({
  getParentRoute: () => plain,
  path: '/account',
  component: lazyRouteComponent(() => import('./account/page.tsx'), 'Account'),
})
const programs = createRoute({
  getParentRoute: () => plain,
  path: '/programs',
  component: lazyRouteComponent(() => import('./programs/page.tsx'), 'Programs'),
})

const program = createRoute({
  getParentRoute: () => signedIn,
  path: '/$program',
  beforeLoad({ context: { session }, params }): { opened: Opened } {
    const opened = session.programs.find(({ program }) => program.slug === params.program)
    if (!opened) throw notFound()
    return { opened }
  },
  component: function InProgram() {
    const { opened } = program.useRouteContext()
    return <ProgramShell opened={opened} onSignedOut={onSignedOut} />
  },
})

/** A view of a program. Its code is loaded when it is opened. What its address says after `?` is a list's. */
const view = <Path extends ViewPath | `${ViewPath}/${string}` | `customers${'' | '/$id'}` | 'start'>(
  path: Path,
  component: ReturnType<typeof lazyRouteComponent>,
) => createRoute({ getParentRoute: () => program, path, validateSearch: readListSearch, component })

type SettingsPart = 'Settings' | 'FieldSettings' | 'PayoutSection' | 'PeopleSettings' | 'ImportSettings'

const settingsView = <Path extends 'settings' | `settings/${string}`>(path: Path, part: SettingsPart) =>
  view(
    path,
    lazyRouteComponent(() => import('./settings/page.tsx'), part),
  )

const home = view(
  'home',
  lazyRouteComponent(() => import('./home/page.tsx'), 'Home'),
)

const inProgram = [
  createRoute({
    getParentRoute: () => program,
    path: '/',
    beforeLoad({ params }) {
      throw redirect({ to: '/$program/home', params, replace: true })
    },
  }),
  home,
  view(
    'start',
    lazyRouteComponent(() => import('./start/page.tsx'), 'Start'),
  ),
  view(
    'payouts',
    lazyRouteComponent(() => import('./payouts/page.tsx'), 'Payouts'),
  ),
  view(
    'payouts/preview',
    lazyRouteComponent(() => import('./payouts/preview.tsx'), 'PayoutPreview'),
  ),
  view(
    'payouts/runs',
    lazyRouteComponent(() => import('./payouts/runs/list.tsx'), 'PayoutRuns'),
  ),
  view(
    'payouts/runs/new',
    lazyRouteComponent(() => import('./payouts/runs/new.tsx'), 'NewPayoutRun'),
  ),
  view(
    'payouts/runs/$id',
    lazyRouteComponent(() => import('./payouts/runs/run.tsx'), 'PayoutRun'),
  ),
  view(
    'payouts/statements',
    lazyRouteComponent(() => import('./payouts/statements/page.tsx'), 'Statements'),
  ),
  view(
    'payouts/invoices',
    lazyRouteComponent(() => import('./payouts/invoices/page.tsx'), 'Invoices'),
  ),
  view(
    'payouts/$id',
    lazyRouteComponent(() => import('./payouts/payout.tsx'), 'Payout'),
  ),
  view(
    'affiliates',
    lazyRouteComponent(() => import('./affiliates/page.tsx'), 'Affiliates'),
  ),
  view(
    'affiliates/assets',
    lazyRouteComponent(() => import('./affiliates/assets/page.tsx'), 'Assets'),
  ),
  view(
    'affiliates/$id',
    lazyRouteComponent(() => import('./affiliate/page.tsx'), 'Affiliate'),
  ),
  view(
    'applications',
    lazyRouteComponent(() => import('./applications/page.tsx'), 'Applications'),
  ),
  view(
    'applications/join',
    lazyRouteComponent(() => import('./applications/join/page.tsx'), 'Join'),
  ),
  view(
    'proposals',
    lazyRouteComponent(() => import('./proposals/page.tsx'), 'Proposals'),
  ),
  view(
    'mails',
    lazyRouteComponent(() => import('./mails/page.tsx'), 'Mails'),
  ),
  view(
    'mails/texts',
    lazyRouteComponent(() => import('./mails/texts/page.tsx'), 'MailTexts'),
  ),
  view(
    'commissions',
    lazyRouteComponent(() => import('./commissions/page.tsx'), 'Commissions'),
  ),
  view(
    'commissions/$id',
    lazyRouteComponent(() => import('./commissions/commission.tsx'), 'Commission'),
  ),
  view(
    'sales',
    lazyRouteComponent(() => import('./sales/page.tsx'), 'Sales'),
  ),
  view(
    'sales/events',
    lazyRouteComponent(() => import('./sales/events/list.tsx'), 'BillingEvents'),
  ),
  view(
    'sales/events/$id',
    lazyRouteComponent(() => import('./sales/events/page.tsx'), 'BillingEvent'),
  ),
  view(
    'sales/$id',
    lazyRouteComponent(() => import('./sales/sale.tsx'), 'Sale'),
  ),
  view(
    'customers',
    lazyRouteComponent(() => import('./customers/list.tsx'), 'Customers'),
  ),
  view(
    'customers/$id',
    lazyRouteComponent(() => import('./customers/page.tsx'), 'Customer'),
  ),
  view(
    'campaigns',
    lazyRouteComponent(() => import('./campaigns/page.tsx'), 'Campaigns'),
  ),
  view(
    'campaigns/branches',
    lazyRouteComponent(() => import('./campaigns/branches/page.tsx'), 'Branches'),
  ),
  view(
    'campaigns/branches/$id',
    lazyRouteComponent(() => import('./campaigns/branches/branch.tsx'), 'Branch'),
  ),
  view(
    'campaigns/$id',
    lazyRouteComponent(() => import('./campaigns/editor.tsx'), 'Campaign'),
  ),
  view(
    'analytics',
    lazyRouteComponent(() => import('./analytics/page.tsx'), 'Analytics'),
  ),
  view(
    'developers',
    lazyRouteComponent(() => import('./developers/page.tsx'), 'Developers'),
  ),
  view(
    'developers/requests',
    lazyRouteComponent(() => import('./developers/failed-requests.tsx'), 'FailedRequests'),
  ),
  view(
    'developers/feeds/$id',
    lazyRouteComponent(() => import('./developers/feed.tsx'), 'Feed'),
  ),
  view(
    'developers/webhooks/$id',
    lazyRouteComponent(() => import('./developers/endpoint.tsx'), 'Endpoint'),
  ),
  settingsView('settings', 'Settings'),
  settingsView('settings/fields', 'FieldSettings'),
  settingsView('settings/payouts', 'PayoutSection'),
  settingsView('settings/people', 'PeopleSettings'),
  settingsView('settings/imports', 'ImportSettings'),
  view(
    'settings/shadow',
    lazyRouteComponent(() => import('./shadow/page.tsx'), 'Shadow'),
  ),
  view(
    'settings/history',
    lazyRouteComponent(() => import('./history/page.tsx'), 'History'),
  ),
] as const

export const router = createRouter({
  routeTree: root.addChildren([
    ...openRoutes,
    signedIn.addChildren([first, connect, plain.addChildren([account, programs]), program.addChildren(inProgram)]),
  ]),
  basepath: basePath,
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  defaultPendingComponent: Loading,
  defaultErrorComponent: Broken,
  defaultNotFoundComponent: Nothing,
  scrollRestoration: true,
})

/** Loads the code of the view that the address names while the session is asked for. `/dashboard` leads to home. */
export function loadFirstView(): void {
  const [matched] = router.matchRoutes(router.latestLocation).slice(-1)
  const routes: Readonly<Record<string, AnyRoute>> = router.routesById
  const route = matched?.routeId === first.id ? home : routes[matched?.routeId ?? '']
  // What fails is loaded again, and reported, when the view is shown.
  if (route) router.loadRouteChunk(route)?.catch(() => {})
}

/** The session has ended. The view leads to the sign-in, and back to itself after it. */
function onSignedOut(): void {
  forgetSession()
  void router.invalidate()
}

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
