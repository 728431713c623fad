import { z } from 'zod'
import {
  cents,
  clearable,
  described,
  flag,
  instant,
  optional,
  reference,
  required,
  someOf,
  text,
} from '../../kernel/input/fields.ts'
import { amounts, references } from '../../kernel/input/lists.ts'
import { pageFields } from '../../listing/page-fields.ts'

export const payoutStates = ['pending', 'paid', 'failed'] as const
export type PayoutState = (typeof payoutStates)[number]

/**
 * The wider API convention separates payouts that can be paid (`due`), and those whose payment was sent (`processing`).
 */
export const conventionPayoutStates = ['pending', 'due', 'processing', 'paid', 'failed'] as const
export type ConventionPayoutState = (typeof conventionPayoutStates)[number]

export const listPayoutsInput = z.object({
  ...pageFields,
  state: optional(described(someOf('PayoutState', payoutStates), 'Only payouts in one of these states.')),
  conventionState: optional(
    described(
      someOf('ConventionPayoutState', conventionPayoutStates),
      "Only payouts in one of these states of the wider API convention: an open payout is `due` if it reaches the minimum payout of the affiliate's campaign, and `processing` while its payment is sent.",
    ),
  ),
  affiliateId: optional(described(reference(), 'Only payouts of this affiliate.')),
})

const maxPaidAtOnce = 100

const paymentReference = described(
  text(),
  'A reference to the payment at the service that made it. Shown on the payout.',
  {
    example: 'batch-2026-03',
  },
)

export const updatePayoutInput = z.object({
  paidAt: clearable(
    described(
      instant(),
      'Blank: the payout is not paid after all, which undoes it. To mark a payout as paid, use `POST /payouts/{id}/pay`.',
    ),
  ),
  reason: optional(described(text(1_000), 'Why the payout is not paid after all.', { example: 'Entered twice' })),
})

export const payPayoutInput = z.object({
  expectedAmountCents: optional(
    described(
      cents(),
      'The amount of the payout when it was last read, in minor units of its currency. The request is rejected if the amount has changed since.',
    ),
  ),
  reference: optional(paymentReference),
})

export const payPayoutsInput = z.object({
  ids: required(
    described(
      references(maxPaidAtOnce),
      `The ids of the payouts, at most ${maxPaidAtOnce}. A repeated id is paid once.`,
    ),
  ),
  expectedAmountsCents: optional(
    described(
      amounts(maxPaidAtOnce),
      'The amount of each payout when it was last read, in minor units of its currency, in the order of `ids`. The request is rejected if one has changed since.',
    ),
  ),
  reference: optional(paymentReference),
})

export const payoutPreviewInput = z.object({
  asOf: optional(
    described(
      instant(),
      'The time of the preview. Commissions that are due by then are counted. Default: now, also if the time is in the past.',
    ),
  ),
  affiliateId: optional(described(reference(), 'Only payouts of this affiliate.')),
  search: optional(described(text(), 'Only payouts of affiliates whose name or e-mail contains this text.')),
  isPayable: optional(described(flag(), 'Only payouts that can be paid, or only those that cannot.')),
})
