import { z } from 'zod'
import { bic, iban } from '../../kernel/input/bank-codes.ts'
import {
  clearable,
  described,
  email,
  flag,
  oneOf,
  optional,
  shownName,
  text,
  unchangedIfAbsent,
} from '../../kernel/input/fields.ts'
import { language } from '../../kernel/input/language.ts'
import { pageUrl } from '../../kernel/input/page-url.ts'
import { subId } from '../affiliates/links/sub-id.ts'
import { token } from '../affiliates/tokens.ts'
import type { AddressFieldName } from '../payout-methods/address.ts'
import { addressFieldNames, addressFields } from '../payout-methods/addresses.ts'
import { payoutMethod } from '../payout-methods/input.ts'

export const commissionMails = ['at_once', 'daily', 'weekly', 'never'] as const

/** Where an affiliate is paid. A change holds the affiliate's payouts. */
export const payoutFields = ['preferredPayoutMethod', ...addressFieldNames] as const

const changesPayouts = 'A change is announced by mail, and payouts wait for the hours of the program.'
const ofAddress = (name: AddressFieldName) => `${addressFields[name].ownInput} ${changesPayouts}`

export const updateMeInput = z.object({
  firstName: clearable(described(text(), 'Given name.', { example: 'Ada' })),
  lastName: clearable(described(text(), 'Family name.', { example: 'Lovelace' })),
  company: clearable(described(text(), 'Company, for invoices and statements.', { example: 'Lovelace Ltd' })),
  postalAddress: clearable(described(text(1_000), 'Postal address, in several lines.')),
  language: clearable(
    described(
      language(),
      "Language of the portal and of mails: en, de, fr, es, pt or ja. Null: that of the program's locale.",
    ),
  ),
  displayName: clearable(
    described(shownName(50), 'What other affiliates see in the leaderboard of the portal. Null: the initials.'),
  ),
  showsInLeaderboard: unchangedIfAbsent(described(flag(), 'Whether other affiliates see one in the leaderboard.')),
  preferredPayoutMethod: clearable(described(payoutMethod, `How payouts are to be paid. ${changesPayouts}`)),
  paypalEmail: clearable(described(email(), ofAddress('paypalEmail'))),
  wiseEmail: clearable(described(email(), ofAddress('wiseEmail'))),
  iban: clearable(described(iban(), ofAddress('iban'))),
  bic: clearable(described(bic(), ofAddress('bic'))),
  commissionMails: unchangedIfAbsent(
    described(oneOf('CommissionMails', commissionMails), 'When mails tell of new commissions.'),
  ),
  getsPayoutMails: unchangedIfAbsent(described(flag(), 'Whether mails tell of payouts.')),
  getsStatementMails: unchangedIfAbsent(described(flag(), 'Whether a mail has the statement of each month.')),
  getsTermsMails: unchangedIfAbsent(described(flag(), 'Whether mails tell of new terms.')),
  getsRewardMails: unchangedIfAbsent(described(flag(), 'Whether mails tell of a change of what is earned.')),
  getsMessageMails: unchangedIfAbsent(described(flag(), 'Whether the program can write mails of its own.')),
})

export const createMyLinkInput = z.object({
  token: optional(described(token(), 'The token of the link. Default: one that is made from the name.')),
  url: optional(described(pageUrl(), "A page of the campaign's site, which the address leads to. Default: its URL.")),
  sub: optional(described(subId(), 'A name for where the address is used: `video-12`. It is added as `sub`.')),
})
