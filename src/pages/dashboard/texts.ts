import { notText } from '../../kernel/csv-dialect.ts'
import { pluralOf } from '../../kernel/text.ts'
import { formatNumber } from '../parts/locale.ts'
import { account } from './texts/account.ts'
import { affiliates, assets } from './texts/affiliates.ts'
import { analytics } from './texts/analytics.ts'
import { applications } from './texts/applications.ts'
import { branches } from './texts/branches.ts'
import { campaigns } from './texts/campaigns.ts'
import { commissions } from './texts/commissions.ts'
import { customers } from './texts/customers.ts'
import { developers } from './texts/developers.ts'
import { home } from './texts/home.ts'
import { invoices } from './texts/invoices.ts'
import { mails } from './texts/mails.ts'
import { money } from './texts/money.ts'
import { payoutRuns, payouts } from './texts/payouts.ts'
import { programs } from './texts/programs.ts'
import { proposals } from './texts/proposals.ts'
import { sales } from './texts/sales.ts'
import { settings } from './texts/settings.ts'
import { shadow } from './texts/shadow.ts'
import { connect, emailChange, invitation, passwordReset, people, setUp, signIn } from './texts/sign-in.ts'
import { start } from './texts/start.ts'
import { statements } from './texts/statements.ts'

/**
 * Every text of the dashboard. Those of one view are in its file in `texts`. Messages about a form's values come from
 * the schemas of the service.
 */
export const texts = {
  dashboard: 'Dashboard',
  titleOf: (view: string) => `${view} · Tributary`,
  loading: 'Loading …',
  cancel: 'Cancel',
  close: 'Close',
  done: 'Done',
  save: 'Save',
  saved: 'Saved.',
  copied: 'Copied.',
  undo: 'Undo',
  notText,
  edit: 'Edit',
  details: 'Details',
  actions: 'Actions',
  more: 'More',
  views: {
    home: 'Home',
    payouts: 'Payouts',
    affiliates: 'Affiliates',
    applications: 'Applications',
    commissions: 'Commissions',
    sales: 'Sales',
    proposals: 'Proposals',
    campaigns: 'Campaigns',
    analytics: 'Analytics',
    mails: 'Mails',
    developers: 'Developers',
    settings: 'Settings',
    account: 'Your account',
    programs: 'Programs',
  },
  fields: {
    name: 'Name',
    email: 'E-mail',
    password: 'Password',
    code: 'Code',
    recoveryCode: 'Recovery code',
  },
  roles: { OWNER: 'an owner', MANAGER: 'a manager', FINANCE: 'finance', ANALYST: 'an analyst' },
  failures: {
    unreachable: 'The service is not responding. Nothing was lost. Try again in a moment.',
    internal: 'Something went wrong in the service. Try again. If it keeps happening, check the server log.',
    viewNotLoaded:
      'This view could not be loaded. You may be offline, or the service was updated. Try again to load the page anew.',
    rejected: 'The service rejected the request.',
    tooMany: 'Too many attempts. Wait a minute, then try again.',
  },
  nothing: {
    title: 'Nothing is here',
    text: 'No view has this address, or you cannot open its program. An owner of the program can invite you.',
    link: 'Open the dashboard',
  },
  noProgram: {
    title: 'You are not a member of a program',
    text: 'Ask an owner of a program for an invitation. It is a link that adds you to the program.',
  },
  shell: {
    skip: 'Skip to the content',
    skipToList: 'Skip to the list',
    navigation: 'Views',
    menu: 'Menu',
    sandbox: 'Sandbox',
    allPrograms: 'All programs',
    signOut: 'Sign out',
    graphiql: 'GraphiQL',
    reference: 'REST API',
    accountOf: 'Account of',
    program: 'Program',
    version: (version: string) => `Tributary ${version}`,
    newer: (version: string) => `Version ${version} is available.`,
  },
  guard: {
    entries: 'What you entered is not saved.',
    secret: 'It is not shown again.',
    stay: 'Go back',
    discard: { entries: 'Discard', secret: 'Close anyway' },
    leaveTitle: 'Leave without saving?',
    leaveText: 'Your changes on this page are not saved.',
    leave: 'Leave',
  },
  find: {
    button: 'Search',
    key: 'Ctrl K',
    macKey: '⌘ K',
    title: 'Search everything',
    placeholder: 'Name, e-mail, sale, coupon, page …',
    results: 'Results',
    hint: 'Type a name, an e-mail, the id of a sale, a coupon, or the reference of a payment.',
    keys: '↑ ↓ choose · Enter opens · Esc closes',
    nothing: (text: string) => `Nothing found for “${text}”. Sales, coupons and payments are found by how they begin.`,
    pages: 'Pages',
    actions: 'Actions',
    programs: 'Programs',
    customers: 'Customers',
    coupons: 'Coupons',
    preview: 'Payout preview',
    runs: 'Payout runs',
    payoutSettings: 'Payout settings',
    paid: 'Paid payouts',
    unattributed: 'Sales without an affiliate',
  },
  keys: {
    title: 'Keys',
    list: [
      { keys: ['Ctrl K', '/'], does: 'Search everything' },
      { keys: ['j', 'k'], does: 'Next row, previous row of a list' },
      { keys: ['Enter'], does: 'Open the row' },
      { keys: ['x'], does: 'Select the row' },
      { keys: ['Shift + click'], does: 'Select all rows from the last selected one' },
      { keys: ['Esc'], does: 'Close a dialog' },
      { keys: ['?'], does: 'Show these keys' },
    ],
  },
  list: {
    filters: 'Filters',
    filtersOf: (count: number) => (count === 0 ? 'Filters' : `Filters (${formatNumber(count)})`),
    columns: 'Columns',
    order: 'Order',
    ascending: (column: string) => `${column} ↑`,
    descending: (column: string) => `${column} ↓`,
    selectAll: 'Select all of this page',
    all: 'All',
    clear: 'Clear filters',
    pageLost: 'This page of the list is not there: the address is of another order, or was cut off.',
    firstPage: 'First page',
    previous: 'Previous',
    next: 'Next',
    pagesOf: (noun: string) => `Pages of ${pluralOf(noun)}`,
    none: 'Select none',
    selected: (count: number) => `${formatNumber(count)} selected`,
    noMatch: 'No match',
    noMatchText: 'Nothing meets all of these filters. Change or clear them.',
    views: {
      title: 'Saved views',
      all: 'All',
      save: 'Save view',
      saveLead: 'A view keeps the filters, the columns and the order of the list. Only you see it, on any device.',
      nameHint: 'What the list shows: Top partners, To review.',
      needsName: 'Enter a name.',
      saved: (name: string) => `The view “${name}” was saved.`,
      delete: 'Delete view',
      deleteTitle: (name: string) => `Delete the view “${name}”?`,
      deleteText: 'Only the view is deleted. The rows that it shows stay.',
      deleted: (name: string) => `The view “${name}” was deleted.`,
    },
    each: {
      progress: (done: number, count: number) => `${formatNumber(done)} of ${formatNumber(count)}`,
      failed: (failed: number, count: number) =>
        `${formatNumber(failed)} of ${formatNumber(count)} could not be changed. The others were.`,
      more: (count: number) => `and ${formatNumber(count)} more`,
    },
    export: {
      button: 'Export CSV',
      title: 'Export as CSV',
      lead: (rows: string) => `All ${rows} that meet the filters, in the order and with the columns of the list.`,
      currencyOf: (column: string) => `${column}, currency`,
      running: 'Reading the rows',
      done: (rows: string) => `The file with ${rows} was saved.`,
    },
  },
  people,
  signIn,
  passwordReset,
  connect,
  emailChange,
  setUp,
  invitation,
  account,
  programs,
  home,
  developers,
  analytics,
  shadow,
  settings,
  payouts,
  payoutRuns,
  commissions,
  proposals,
  sales,
  start,
  statements,
  invoices,
  picker: {
    hint: 'Part of the name or e-mail.',
    found: 'Affiliates',
    noneFound: 'No active affiliate has this name or e-mail.',
    moreFound: 'There are more. Type more of the name.',
    chosen: 'Chosen:',
    remove: 'Remove',
  },
  money,
  affiliates,
  assets,
  applications,
  mails,
  branches,
  campaigns,
  customers,
} as const
