import { z } from 'zod'
import { currency, described, instant, oneOf, optional } from '../../kernel/input/fields.ts'
import { timeZone } from '../../kernel/input/time-zone.ts'
import { rangePresets } from './range.ts'

const presetName = described(
  oneOf('RangePreset', rangePresets),
  'A range relative to now, in the time zone of the query. Cannot be combined with `from` and `to`.',
)

export const rangeInput = z.object({
  preset: optional(presetName),
  from: optional(described(instant(), 'The start of the range, inclusive.')),
  to: optional(described(instant(), 'The end of the range, exclusive.')),
})

/** The runtime's time zone database decides which names are valid. */
export const zoneInput = z.object({ timeZone: optional(timeZone()) })

export const analyticsInput = zoneInput.extend({ currency: optional(currency()) })
