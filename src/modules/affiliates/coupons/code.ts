import { z } from 'zod'
import { caseFolded, withoutInvisible } from '../../../kernel/case-fold.ts'
import { textInput } from '../../../kernel/input/fields.ts'
import { withWire } from '../../../kernel/input/wire.ts'

const maxLength = 100

/** Letters with their marks, and digits, of any script, and the signs that shops allow; single blanks inside. */
const form = /^[\p{L}\p{M}\p{Nd}._%+-]+(?: [\p{L}\p{M}\p{Nd}._%+-]+)*$/u

/** Without blanks around it, and without characters that nobody sees: they come along when a code is copied. */
const visible = (code: string): string => withoutInvisible(code).trim()

const isCode = (code: string): boolean => {
  const normal = code.normalize('NFKC')
  return code.length <= maxLength && normal.length <= maxLength && form.test(normal)
}

/** A coupon's code as shops use them. Codes are compared by `couponKey`. */
export const couponCode = () =>
  withWire(
    textInput().pipe(
      z
        .string()
        .transform(visible)
        .refine(isCode, {
          error: `may hold letters, digits, - _ . % + and single blanks between them, 1 to ${maxLength} of them`,
        }),
    ),
    { type: 'string', minLength: 1, maxLength, example: 'ADA20' },
  )

/** The form in which codes are compared, and in which they are unique: without case, after Unicode normalisation. */
export const couponKey = (code: string): string => caseFolded(visible(code))

/** Whether a code can be that of a coupon. */
export const isCouponCode = (code: string): boolean => isCode(visible(code))
