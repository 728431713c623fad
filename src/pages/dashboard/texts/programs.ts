import { sendLink } from './words.ts'

export const programs = {
  title: 'Programs',
  lead: 'Every affiliate program that this service runs.',
  first: 'Your first program',
  none: 'No programs yet',
  noneText: 'A program has its own affiliates, campaigns, keys and people. Create one for each product or brand.',
  create: 'Create program',
  createLead: 'All but the kind can be changed later.',
  website: 'Website',
  currency: 'Currency',
  kind: 'Kind',
  sandbox: 'Sandbox',
  live: 'Live',
  kindHint:
    'The clock of a sandbox can be advanced, to test in a second what takes months. Its sales are not real. A shadow computes beside the service that you have, and sends and pays nothing.',
  locale: 'Locale',
  timeZone: 'Time zone',
  linkParameters: 'Parameters of links',
  agentProvider: 'Name for the checkouts of agents',
  agentProviderHint:
    'Such as acme.example. Checkouts of assistants say who sent a customer. With a name here, what they say under it counts for sales. Empty: it does not.',
  linkParametersHint:
    'The parameters that name a link beside via, for example ref, fpr. Links of the service before go on working.',
  shadow: 'Shadow',
  shadowEndedAt: 'Counts here since',
  timeZoneHint: 'Caps and tiers of commission rules count its months and years.',
  localeHint: (example: string) => `How money, dates and counts are written for everybody: ${example}`,
  nameHint: 'What affiliates see: the name of your product or company.',
  urlHint: 'Where the links of affiliates lead.',
  reset: 'Reset a password',
  resetLead: 'Makes a link with which a person chooses a new password. Make sure you know who is asking.',
  resetFor: (name: string, isMailed: boolean | null) =>
    `${sendLink(name, isMailed)} It works once, within an hour. Using it ends their sessions; their second factor stays.`,
  changeEmail: 'Change an e-mail',
  changeEmailLead: 'Makes a link with which a person confirms a new e-mail address. Make sure you know who is asking.',
  presentEmail: 'Present e-mail',
  changeEmailFor: (name: string, isMailed: boolean | null) =>
    `${sendLink(name, isMailed)} It works once, within a day. Their sessions, password and second factor stay.`,
  link: 'the link',
  createLink: 'Create link',
  currencyHint: 'What you usually sell in. Sales in other currencies are recorded too.',
} as const
