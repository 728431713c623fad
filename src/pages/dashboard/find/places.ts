import { permissionsOf } from '../session/permissions.ts'
import type { Session } from '../session/session.ts'
import type { Opened } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { programViews } from '../views.ts'
import type { Found, Group } from './found.ts'

const words = texts.find

/** The pages, actions and programs that a person can open: those whose names contain all words of the text. */
export function placesFor(text: string, session: Session, opened: Opened | null): Group[] {
  const wanted = text.toLowerCase().split(/\s+/).filter(Boolean)
  const matches = ({ name, detail = '' }: Found) => {
    const own = `${name} ${detail}`.toLowerCase()
    return wanted.every((word) => own.includes(word))
  }
  const groups = [
    { name: words.pages, found: [...(opened ? pagesOf(opened) : []), ...pagesOfAll(session)] },
    { name: words.actions, found: opened ? actionsOf(opened) : [] },
    { name: words.programs, found: programsOf(session, opened) },
  ]
  return groups.map(({ name, found }) => ({ name, found: found.filter(matches) }))
}

/** @param asked what the view opens at once */
const place = (name: string, path: string, asked?: string): Found => ({ key: `${name} ${path}`, name, path, asked })

function pagesOf({ program: { slug } }: Opened): Found[] {
  const page = (name: string, path: string) => place(name, `/${slug}/${path}`)
  return [
    ...programViews.map(({ path, name }) => page(name, path)),
    page(texts.start.title, 'start'),
    page(texts.applications.join.title, 'applications/join'),
    page(words.customers, 'customers'),
    page(words.preview, 'payouts/preview'),
    page(words.runs, 'payouts/runs'),
    page(texts.statements.tab, 'payouts/statements'),
    page(texts.invoices.tab, 'payouts/invoices'),
    { ...page(words.paid, 'payouts'), search: { state: 'paid' } },
    { ...page(words.unattributed, 'sales'), search: { show: 'unattributed' } },
    page(texts.branches.title, 'campaigns/branches'),
    page(texts.sales.events.title, 'sales/events'),
    page(texts.developers.requests.title, 'developers/requests'),
    page(texts.settings.ownFields.title, 'settings/fields'),
    page(words.payoutSettings, 'settings/payouts'),
    page(texts.settings.people.title, 'settings/people'),
    page(texts.settings.history.title, 'settings/history'),
    page(texts.shadow.title, 'settings/shadow'),
  ]
}

const pagesOfAll = ({ person }: Session): Found[] => [
  place(texts.views.account, '/account'),
  ...(person.isOperator ? [place(texts.shell.allPrograms, '/programs')] : []),
]

function actionsOf({ program: { slug }, role }: Opened): Found[] {
  const { canChange, canManageKeys, canManagePeople } = permissionsOf(role)
  const action = (name: string, path: string, asked?: string) => place(name, `/${slug}/${path}`, asked)
  return [
    ...(canChange
      ? [
          action(texts.affiliates.create, 'affiliates', 'create'),
          action(texts.affiliates.import.title, 'affiliates', 'import'),
          action(texts.sales.byHand.open, 'sales', 'record'),
          action(texts.campaigns.create, 'campaigns/new'),
          action(texts.payoutRuns.new, 'payouts/runs/new'),
          action(texts.developers.webhooks.create, 'developers', 'endpoint'),
        ]
      : []),
    ...(canManageKeys ? [action(texts.developers.keys.create, 'developers', 'key')] : []),
    ...(canManagePeople ? [action(texts.settings.people.invite, 'settings/people', 'invite')] : []),
  ]
}

const programsOf = ({ programs }: Session, opened: Opened | null): Found[] =>
  programs
    .filter(({ program }) => program.id !== opened?.program.id)
    .map(({ program }) => ({ ...place(program.name, `/${program.slug}/home`), detail: program.slug }))
