import { texts } from '../texts.ts'

const { views } = texts

/** The views of a program that the navigation leads to, in its order. The path is that below the program's. */
export const programViews = [
  { path: 'home', name: views.home },
  { path: 'payouts', name: views.payouts },
  { path: 'affiliates', name: views.affiliates },
  { path: 'applications', name: views.applications },
  { path: 'commissions', name: views.commissions },
  { path: 'sales', name: views.sales },
  { path: 'campaigns', name: views.campaigns },
  { path: 'analytics', name: views.analytics },
  { path: 'mails', name: views.mails },
  { path: 'developers', name: views.developers },
  { path: 'settings', name: views.settings },
] as const

export type ViewPath = (typeof programViews)[number]['path']
