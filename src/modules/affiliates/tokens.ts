import { z } from 'zod'
import { textInput } from '../../kernel/input/fields.ts'
import { saysCode } from '../../kernel/input/parse.ts'
import { withWire } from '../../kernel/input/wire.ts'

/** A token of a link or coupon. Tokens are compared without regard to case. */
export const token = () =>
  withWire(
    textInput().pipe(
      z.string().refine((value) => /^[A-Za-z0-9-]{1,100}$/.test(value), {
        error: 'may hold letters, digits and dashes, 1 to 100 of them',
        params: saysCode('not_a_token'),
      }),
    ),
    { type: 'string', pattern: '^[A-Za-z0-9-]{1,100}$', minLength: 1, maxLength: 100, example: 'ada' },
  )

/** The form in which tokens are compared, and in which they are unique. */
export const tokenKey = (token: string) => token.toLowerCase()
