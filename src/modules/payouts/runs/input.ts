import { z } from 'zod'
import {
  currency,
  described,
  file,
  flag,
  instant,
  oneOf,
  optional,
  positiveCents,
  reference,
  required,
  someOf,
  text,
} from '../../../kernel/input/fields.ts'
import { entries, references } from '../../../kernel/input/lists.ts'
import { pageFields } from '../../../listing/page-fields.ts'
import { payoutMethod } from '../../payout-methods/input.ts'

export const payoutRunStates = ['prepared', 'approved', 'sent', 'paid', 'cancelled'] as const
export const payoutItemStates = ['prepared', 'sent', 'paid', 'failed', 'returned', 'unclaimed', 'cancelled'] as const

export const paymentFactKinds = ['sent', 'paid', 'failed', 'unclaimed', 'returned', 'reversed', 'cancelled'] as const

/**
 * The states of an item whose run can still pay it: a service can still pay what was not claimed.
 */
export const openItemStates = ['prepared', 'sent', 'unclaimed'] as const satisfies (typeof payoutItemStates)[number][]

const maxRunPayouts = 1_000
/** Less than the objects of the largest body. */
const maxResults = 400

export const listPayoutRunsInput = z.object({
  ...pageFields,
  state: optional(described(someOf('PayoutRunState', payoutRunStates), 'Only runs in one of these states.')),
})

export const createPayoutRunInput = z.object({
  method: required(described(payoutMethod, 'How the payouts are paid. It decides which file the run has.')),
  currency: optional(
    described(currency(), 'The currency of the run: a run pays one currency. Defaults to the currency of the program.'),
  ),
  asOf: optional(
    described(instant(), 'Only payouts that were opened by this time, which cannot be in the future. Defaults to now.'),
  ),
  payoutIds: optional(
    described(
      references(maxRunPayouts),
      `Only these payouts, at most ${maxRunPayouts}. Default: all that can be paid by the method.`,
    ),
  ),
  leaveOutDisabled: optional(
    described(flag(), 'Whether payouts of disabled affiliates are left out. Suspicious affiliates always are.', {
      default: false,
    }),
  ),
})

const paymentReference = described(text(), 'A reference to the payment at the service that made it.', {
  example: 'batch-2026-03',
})

export const markPayoutRunInput = z.object({ reference: optional(paymentReference) })

const reason = (why: string) => described(text(1_000), why, { example: 'Entered twice' })

export const cancelPayoutRunInput = z.object({
  reason: required(reason('Why the run is cancelled.')),
  confirmSent: optional(
    described(
      flag(),
      'Needed for a run that was marked as sent. True: the service does not pay it. If it does, its people are paid twice.',
      { default: false },
    ),
  ),
})

export const undoPayoutInput = z.object({
  reason: required(reason('Why the payout is not paid after all. It is in the history, and in the facts.')),
})

export const payoutResultInput = z.object({
  payoutId: required(described(reference(), 'The id of a payout in the run.')),
  state: required(
    described(
      oneOf('PayoutItemState', payoutItemStates),
      'The result: `PAID`, `FAILED`, `RETURNED`, `UNCLAIMED` or `CANCELLED`.',
    ),
  ),
  amountCents: optional(
    described(
      positiveCents(),
      'How much was paid, or came back, in minor units of the currency of the run. Default: all of it. The rest is a balance or a debt of the affiliate.',
    ),
  ),
  at: optional(
    described(
      instant(),
      'When it happened, by the service. Results count in the order in which they happened. Default: now.',
    ),
  ),
  reference: optional(described(text(), "The service's reference of this payment.")),
  reason: optional(described(text(1_000), 'Why it was not paid, in the words of the service.')),
})

export const recordPayoutResultsInput = z.object({
  runId: required(described(reference(), 'The id of the run.')),
  results: required(
    described(
      entries('PayoutResultInput', maxResults),
      `1 to ${maxResults} results. If one is invalid, nothing is recorded.`,
    ),
  ),
})

export const importPayoutResultsInput = z.object({
  runId: required(described(reference(), 'The id of the run.')),
  file: required(described(file(), "The content of the service's report, as CSV.")),
  dryRun: optional(
    described(flag(), 'Whether to only read the report: the response is the same, but nothing is recorded.', {
      default: false,
    }),
  ),
})
