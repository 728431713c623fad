import { z } from 'zod'
import { PayoutServiceKind } from '../../generated/prisma/enums.ts'
import {
  clearable,
  described,
  flag,
  oneOf,
  optional,
  positiveCents,
  record,
  reference,
  required,
  text,
} from '../../kernel/input/fields.ts'

export const payoutServiceKinds = Object.values(PayoutServiceKind) as [PayoutServiceKind, ...PayoutServiceKind[]]
const service = oneOf('PayoutServiceKind', payoutServiceKinds)

export const connectPayoutServiceInput = z.object({
  service: required(described(service, 'The service.')),
  credentials: required(
    described(
      record(),
      'What the service gave to you, by the keys that `docs/payouts.md` names. It is tried first, then encrypted, and cannot be read again.',
    ),
  ),
})

/** A program has each service once, so its name is enough. */
const which = {
  service: optional(described(service, 'The service. Needed without `id`.')),
  id: optional(described(reference(), 'The id of the connected service. Needed without `service`.')),
}

export const namedPayoutServiceInput = z.object(which)

const limit = (what: string) =>
  clearable(described(positiveCents(), `${what}, in minor units of the currency of the run. Null: no limit.`))

export const updatePayoutServiceInput = z.object({
  ...which,
  mostPerRunCents: limit('The most that a run can send'),
  mostPerDayCents: limit('The most that all runs of 24 hours can send'),
  mostPerPayeeCents: limit('The most that one payment can be'),
})

export const sendPayoutRunInput = z.object({
  confirmFileNotPaid: optional(
    described(
      flag(),
      'Needed if somebody else has read the file of the run. True: it was not paid at the service. If it was, its people are paid twice.',
    ),
  ),
})

export const cancelPaymentInput = z.object({
  payoutId: required(described(reference(), 'The id of the payout.')),
  reason: required(described(text(1_000), 'Why the payment is cancelled. It is in its facts.')),
})
