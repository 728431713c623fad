import { z } from 'zod'
import { described, instant, optional, wholeNumber } from '../kernel/input/fields.ts'
import { wireOf, withWire } from '../kernel/input/wire.ts'

/** Rows on a page. Source: the contract's table of limits. */
export const defaultLimit = 25
export const maximumLimit = 100

/** A number that is too large to be exact is above the maximum all the same. */
const limitOf = (value: unknown) =>
  typeof value === 'string' && /^[1-9]\d{16,}$/.test(value.trim()) ? maximumLimit : value
const limit = withWire(z.preprocess(limitOf, wholeNumber(1)), wireOf(wholeNumber(1)))

export const pageFields = {
  page: described(optional(wholeNumber(1)), 'The number of the page, counted from 1.', { default: 1 }),
  limit: described(optional(limit), 'The maximum number of rows on a page. Values above 100 count as 100.', {
    default: defaultLimit,
    maximum: maximumLimit,
  }),
  updatedSince: described(optional(instant()), 'Only rows whose last change was at this time or later.'),
  updatedUntil: described(optional(instant()), 'Only rows whose last change was before this time.'),
}
