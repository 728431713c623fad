import {
  Banknote,
  ChartLine,
  ClipboardCheck,
  CodeXml,
  House,
  Mail,
  Megaphone,
  Percent,
  Settings,
  ShoppingCart,
  UserPlus,
  Users,
} from 'lucide-react'
import { texts } from './texts.ts'

const { views } = texts

/** The views of a program that the navigation leads to, in its order. The path is that below the program's. */
export const programViews = [
  { path: 'home', name: views.home, Icon: House },
  { path: 'payouts', name: views.payouts, Icon: Banknote },
  { path: 'affiliates', name: views.affiliates, Icon: Users },
  { path: 'applications', name: views.applications, Icon: UserPlus },
  { path: 'commissions', name: views.commissions, Icon: Percent },
  { path: 'sales', name: views.sales, Icon: ShoppingCart },
  { path: 'proposals', name: views.proposals, Icon: ClipboardCheck },
  { path: 'campaigns', name: views.campaigns, Icon: Megaphone },
  { path: 'analytics', name: views.analytics, Icon: ChartLine },
  { path: 'mails', name: views.mails, Icon: Mail },
  { path: 'developers', name: views.developers, Icon: CodeXml },
  { path: 'settings', name: views.settings, Icon: Settings },
] as const

export type ViewPath = (typeof programViews)[number]['path']
