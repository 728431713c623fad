import { z } from 'zod'
import { bic, iban } from '../../kernel/input/bank-codes.ts'
import {
  cents,
  clearable,
  currency,
  described,
  flag,
  oneOf,
  optional,
  percent,
  reference,
  required,
  slug,
  text,
  unchangedIfAbsent,
  url,
  wholeNumber,
} from '../../kernel/input/fields.ts'
import { several } from '../../kernel/input/lists.ts'
import { timeZone } from '../../kernel/input/time-zone.ts'
import { withWire } from '../../kernel/input/wire.ts'
import { addressedMethods, payerFields } from '../payout-methods/addresses.ts'
import { payoutMethod } from '../payout-methods/input.ts'
import { locale } from './locale.ts'

const name = described(text(), "The program's name.", { example: 'Acme' })
const address = described(
  url(),
  'The page that the links of the default campaign lead to: an absolute http(s) URL. Other campaigns have their own.',
  { example: 'https://acme.test' },
)
const defaultCurrency = described(currency(), 'The default currency of sales and campaigns, as an ISO 4217 code.')
const programLocale = described(
  locale(),
  'How the dashboard and the portal write money, dates and counts: a BCP 47 language tag.',
)
const programTimeZone = described(
  timeZone(),
  'The time zone of the months, quarters and years in which caps and tiers of commission rules are counted: the name of an IANA time zone.',
)

const programSlug = described(
  slug(),
  'Identifies the program in links: `/r/{slug}/{token}`. Generated from the name by default.',
  { example: 'acme' },
)
/** The names of parameters in addresses. The script and the redirect use `referral` themselves. */
const parameterName = withWire(
  text(40).refine((name) => /^[\w.-]+$/.test(name) && name !== 'referral', {
    error: "may hold letters, digits, dots, dashes and underscores, and can't be `referral`",
  }),
  { type: 'string', maxLength: 40, example: 'ref' },
)
const linkParameters = described(
  several(parameterName, 20, 0),
  "The parameters of addresses that name an affiliate's link, beside `via`: those of the service before, so that its links go on working. Default: `fpr` and `via_id`.",
)
const agentProvider = described(
  text(),
  'What agents call the program as a provider of attribution, such as `acme.example`. With it, `affiliateAttribution` of sales is used if it is of this provider. Null: it is not used.',
  { example: 'acme.example' },
)
const isShadow = described(
  flag(),
  'Whether the program is a shadow: it takes feeds, tracks and computes beside another service, but sends nothing to affiliates, and pays nothing. `endShadow` makes it live.',
  { default: false },
)
const isSandbox = described(
  flag(),
  'Whether the program is a sandbox. The clock of a sandbox can be advanced, to test in a second what takes months. This cannot be changed later.',
  { default: false },
)

/** In the names of Unicode: an enum of GraphQL has no signs. */
export const feeBearers = ['company', 'affiliate'] as const
export const decimalMarks = ['point', 'comma'] as const

/** The services of methods, as a sentence lists them. */
const services = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(
  addressedMethods.map(({ service }) => service),
)

export const leaderboardShows = ['nothing', 'ranks', 'amounts'] as const

export const createProgramInput = z.object({
  name: required(name),
  url: required(address),
  currency: required(defaultCurrency),
  locale: optional(programLocale),
  timeZone: optional(programTimeZone),
  slug: optional(programSlug),
  isSandbox: optional(isSandbox),
  isShadow: optional(isShadow),
  linkParameters: optional(linkParameters),
  commissionPercent: optional(described(percent(), 'The percentage that the default campaign pays. Defaults to 20.')),
})

export const updateProgramInput = z.object({
  name: unchangedIfAbsent(name),
  url: unchangedIfAbsent(address),
  currency: unchangedIfAbsent(defaultCurrency),
  locale: unchangedIfAbsent(programLocale),
  timeZone: unchangedIfAbsent(programTimeZone),
  slug: unchangedIfAbsent(programSlug),
  linkParameters: unchangedIfAbsent(linkParameters),
  agentProvider: clearable(agentProvider),
  isShadow: unchangedIfAbsent(isShadow),
  defaultPayoutMethod: unchangedIfAbsent(
    described(payoutMethod, `How affiliates are paid who have several wallets and prefer none: ${services}.`),
  ),
  payoutApprovalAboveCents: clearable(
    described(
      cents(),
      "Payout runs above this sum need the approval of a second person, in minor units of the run's currency. Null: none does. Only owners change it.",
    ),
  ),
  payoutHoldHours: unchangedIfAbsent(
    described(
      wholeNumber(0, 24 * 30),
      'How many hours payouts of an affiliate wait after the affiliate has changed the payout address. 0: they do not wait.',
    ),
  ),
  closesMonthsAfterDays: clearable(
    described(
      wholeNumber(1, 28),
      'How many days after its end a month is closed without a person: see `closeMonth`. Null: only people close months.',
    ),
  ),
  readingCurrency: clearable(
    described(
      currency(),
      'The currency in which totals are also shown, by the rates of `importExchangeRates`. Null: none.',
    ),
  ),
  leaderboardShows: unchangedIfAbsent(
    described(
      oneOf('LeaderboardShows', leaderboardShows),
      'What affiliates see of each other in the portal: nothing, who earned most, or the amounts too.',
    ),
  ),
  payoutFeeBearer: unchangedIfAbsent(
    described(
      oneOf('PayoutFeeBearer', feeBearers),
      'Who bears the fees of services that pay by API, where the service leaves a choice: Wise does, PayPal always takes them from the company.',
    ),
  ),
  debtorName: clearable(described(text(70), payerFields.debtorName.input)),
  debtorIban: clearable(described(iban(), payerFields.debtorIban.input)),
  debtorBic: clearable(described(bic(), payerFields.debtorBic.input)),
  hasPayoutFileMark: unchangedIfAbsent(
    described(flag(), 'Whether CSV files of payouts begin with a byte-order mark, which some spreadsheets need.'),
  ),
  payoutFileDecimalMark: unchangedIfAbsent(
    described(oneOf('DecimalMark', decimalMarks), 'The decimal mark of amounts in CSV files of payouts.'),
  ),
})

/** For mutations that the operator can run for any program, and an API key for its own. */
export const programId = optional(
  described(
    reference(),
    'The id of the program. Defaults to the program of the API key, or the one in the `X-Program-Id` header.',
  ),
)

export const rotatePublishableKeyInput = z.object({
  programId,
  keepOldForHours: optional(
    described(
      wholeNumber(0, 24 * 90),
      'How many hours the previous key is still accepted, so that pages can be changed meanwhile. 0 ends it immediately.',
      { default: 24 },
    ),
  ),
})

export const advanceClockInput = z.object({
  days: required(
    described(wholeNumber(1, 3_660), 'The number of days by which to advance the clock.', { example: 30 }),
  ),
})

/** Nothing but the id. */
export const programStateInput = z.object({})

export const deleteProgramInput = z.object({
  confirmSlug: required(
    described(text(), 'The slug of the program, to confirm that it is the one to delete.', { example: 'acme' }),
  ),
  confirmPaidPayouts: optional(
    described(flag(), 'Whether to delete the program although it has paid payouts, whose record is lost.', {
      default: false,
    }),
  ),
})
