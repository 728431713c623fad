import { z } from 'zod'
import {
  cents,
  currency,
  described,
  instant,
  oneOf,
  optional,
  reference,
  required,
  someOf,
  text,
} from '../../kernel/input/fields.ts'
import { amounts, references } from '../../kernel/input/lists.ts'
import { pageFields } from '../../kernel/pagination/page.ts'

export const payoutStates = ['pending', 'paid'] as const
export type PayoutState = (typeof payoutStates)[number]

/** The convention tells what can be paid from what still has to grow. */
export const conventionPayoutStates = ['pending', 'due', 'paid'] as const
export type ConventionPayoutState = (typeof conventionPayoutStates)[number]

export const listPayoutsInput = z.object({
  ...pageFields,
  state: optional(described(someOf('PayoutState', payoutStates), 'Only payouts in one of these states.')),
  conventionState: optional(
    described(
      someOf('ConventionPayoutState', conventionPayoutStates),
      "Only payouts in one of these states, as the convention tells them: `due` once they meet the minimum of their affiliate's campaign.",
    ),
  ),
  affiliateId: optional(described(reference(), 'Only payouts of this affiliate.')),
})

/** The most payouts that are paid at once. */
const mostAtOnce = 100

const paymentReference = described(text(), 'What the payment is called where it was made; shown on the payout.', {
  example: 'batch-2026-03',
})

export const payPayoutInput = z.object({
  expectedAmountCents: optional(
    described(cents(), 'What the payout came to when it was looked at; refused where it has changed since.'),
  ),
  reference: optional(paymentReference),
})

export const payPayoutsInput = z.object({
  ids: required(
    described(references(mostAtOnce), `The payouts, at most ${mostAtOnce}; named twice, one is paid once.`),
  ),
  expectedAmountsCents: optional(
    described(
      amounts(mostAtOnce),
      'What each payout came to when it was looked at, in the order of `ids`; refused where one has changed since.',
    ),
  ),
  reference: optional(paymentReference),
})

export const payoutPreviewInput = z.object({
  page: pageFields.page,
  limit: pageFields.limit,
  asOf: optional(
    described(
      instant(),
      'The moment to look at; now unless given, and where it has passed. What is due by then counts.',
    ),
  ),
  affiliateId: optional(described(reference(), 'Only of this affiliate.')),
})

export const payoutRunFormats = ['wallet_a', 'wallet_b', 'generic'] as const
export type PayoutRunFormat = (typeof payoutRunFormats)[number]

/** The most payouts that a run names one by one. */
const mostNamed = 1_000

export const payoutRunInput = z.object({
  format: required(described(oneOf('PayoutRunFormat', payoutRunFormats), 'Who reads the file.')),
  ids: optional(described(references(mostNamed), `These payouts, at most ${mostNamed}; all, unless given.`)),
  state: optional(described(someOf('PayoutState', payoutStates), 'Only payouts in one of these states.')),
  affiliateId: optional(described(reference(), 'Only payouts of this affiliate.')),
  currency: optional(described(currency(), 'Only payouts in this currency.')),
})
