import { z } from 'zod'
import { clearable, described, flag, kept, oneOf, optional, text, url } from '../../kernel/input/fields.ts'
import { wireOf, withWire } from '../../kernel/input/wire.ts'
import { token } from '../affiliates/tokens.ts'

export const commissionMails = ['at_once', 'daily', 'weekly', 'never'] as const

export const updateMeInput = z.object({
  firstName: clearable(described(text(), 'Given name.', { example: 'Ada' })),
  lastName: clearable(described(text(), 'Family name.', { example: 'Lovelace' })),
  commissionMails: kept(described(oneOf('CommissionMails', commissionMails), 'When mails tell of new commissions.')),
  payoutMails: kept(described(flag(), 'Whether mails tell of payouts.')),
})

const subId = () =>
  withWire(
    text(100).refine((value) => /^[\w.~-]+$/.test(value), {
      error: 'may hold letters, digits, dots, dashes, underscores and tildes',
    }),
    wireOf(text(100)),
  )

export const createMyLinkInput = z.object({
  token: optional(described(token(), 'The token of the link. Default: one that is made from the name.')),
  url: optional(described(url(), "A page of the campaign's site, which the address leads to. Default: its URL.")),
  sub: optional(described(subId(), 'A name for where the address is used: `video-12`. It is added as `sub`.')),
})
