import { z } from 'zod'
import { currency, described, instant, oneOf, optional, text } from '../../kernel/input/fields.ts'
import { rangePresets } from './range.ts'
import { isTimeZone } from './zone.ts'

const presetName = described(
  oneOf('RangePreset', rangePresets),
  'Days, months or years around now, whole and read in the time zone; then neither `from` nor `to` is given.',
)

export const rangeInput = z.object({
  preset: optional(presetName),
  from: optional(described(instant(), 'The first moment that counts.')),
  to: optional(described(instant(), 'The first moment that counts no more.')),
})

/** Which names there are is for the runtime to say. */
export const zoneInput = z.object({
  timeZone: optional(
    text(64).refine(isTimeZone, { error: 'is not the name of an IANA time zone, such as Europe/Berlin' }),
  ),
})

export const analyticsInput = zoneInput.extend({ currency: optional(currency()) })
