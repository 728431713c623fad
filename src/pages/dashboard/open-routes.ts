import { createRootRoute, createRoute, Outlet } from '@tanstack/react-router'
import type { Search } from './address-search.ts'
import { lazyRouteComponent } from './shell/lazy-view.ts'
import { Nothing } from './shell/states.tsx'

export const root = createRootRoute({ component: Outlet, notFoundComponent: Nothing })

const nextOf = ({ next }: Search): { next?: string } => (next === undefined ? {} : { next })

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  // `error` is why the provider of OpenID Connect led back here.
  // `code` is there if the person comes from the provider, and has a second factor.
  validateSearch: ({ next, error, code }: Search) => ({
    ...nextOf({ next }),
    ...(error !== undefined && { error }),
    ...(code !== undefined && { code }),
  }),
  component: lazyRouteComponent(() => import('./sign-in/page.tsx'), 'SignIn'),
})
const forgottenPassword = createRoute({
  getParentRoute: () => root,
  path: '/sign-in/forgotten',
  component: lazyRouteComponent(() => import('./sign-in/forgotten.tsx'), 'ForgottenPassword'),
})
const setUp = createRoute({
  getParentRoute: () => root,
  path: '/setup',
  component: lazyRouteComponent(() => import('./setup/page.tsx'), 'SetUp'),
})
const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  component: lazyRouteComponent(() => import('./invitation/page.tsx'), 'Invitation'),
})
const passwordReset = createRoute({
  getParentRoute: () => root,
  path: '/password-reset',
  component: lazyRouteComponent(() => import('./password-reset/page.tsx'), 'PasswordReset'),
})
const emailChange = createRoute({
  getParentRoute: () => root,
  path: '/email-change',
  component: lazyRouteComponent(() => import('./email-change/page.tsx'), 'EmailChange'),
})

/** The views without a session. */
export const openRoutes = [signIn, forgottenPassword, setUp, invitation, passwordReset, emailChange] as const
