import { z } from 'zod'
import {
  clearable,
  currency,
  described,
  oneOf,
  positiveCents,
  unchangedIfAbsent,
  wholeNumber,
} from '../../../kernel/input/fields.ts'
import { several } from '../../../kernel/input/lists.ts'
import { payoutMethod } from '../../payout-methods/input.ts'
import { weekdays } from './days.ts'

export const updatePayoutScheduleInput = z.object({
  daysOfMonth: unchangedIfAbsent(
    described(
      several(wholeNumber(1, 31), 31, 0),
      'The days of each month on which runs are made, 1 to 31. A day that a month lacks is its last.',
    ),
  ),
  weekdays: unchangedIfAbsent(
    described(several(oneOf('Weekday', weekdays), 7, 0), 'The days of each week on which runs are made.'),
  ),
  methods: unchangedIfAbsent(described(several(payoutMethod, 6, 0), 'A run is made by each of these methods.')),
  currencies: unchangedIfAbsent(
    described(several(currency(), 20, 0), 'A run is made in each of these currencies. Default: that of the program.'),
  ),
  minimumCents: clearable(
    described(positiveCents(), 'A run below this sum is not made, in minor units of its currency. Null: no minimum.'),
  ),
  sendUpToCents: clearable(
    described(
      positiveCents(),
      'A run up to this sum is sent by the API of its service without a person, in minor units of its currency. Null: people send all runs. A person who sets it needs a second factor.',
    ),
  ),
})
