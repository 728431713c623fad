import { z } from 'zod'
import { currency, described, instant, oneOf, optional, text } from '../input/fields.ts'
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

const zone = text(64)

/** What an IANA time zone may be is the runtime's list. */
export const analyticsInput = z.object({
  timeZone: optional(zone.refine(isTimeZone, { error: 'is not the name of an IANA time zone, such as Europe/Berlin' })),
  currency: optional(currency()),
})
