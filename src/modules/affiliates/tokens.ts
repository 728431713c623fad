import { z } from 'zod'
import { caseFolded } from '../../kernel/case-fold.ts'
import { textInput } from '../../kernel/input/fields.ts'
import { saysCode } from '../../kernel/input/parse.ts'
import { withWire } from '../../kernel/input/wire.ts'
import { tokensInAddress } from './tokens-in-address.ts'

const maxLength = 100

const rule = (isToken: (text: string) => boolean) =>
  textInput().pipe(
    z.string().refine(isToken, {
      error: `may hold letters, digits and dashes, 1 to ${maxLength} of them`,
      params: saysCode('not_a_token'),
    }),
  )

/** A token of a new link. Tokens are compared without regard to case. */
export const token = () =>
  withWire(
    rule((text) => /^[A-Za-z0-9-]{1,100}$/.test(text)),
    { type: 'string', pattern: '^[A-Za-z0-9-]{1,100}$', minLength: 1, maxLength, example: 'ada' },
  )

/** The token of a link that another service has published. It is kept, so that the link goes on working. */
export const importedToken = () =>
  withWire(rule(isImportedToken), {
    type: 'string',
    minLength: 1,
    maxLength,
    example: 'john_doe',
  })

const isImportedToken = (text: string): boolean =>
  text.length <= maxLength && /^(?=.*[\p{L}\p{Nd}])[\p{L}\p{M}\p{Nd}_.+-]+$/u.test(text)

/** The token of a known link, as an address has it, with what came along when the address was copied. */
export const tokenInAddress = () =>
  withWire(
    rule((text) => tokensInAddress(text).length > 0),
    { type: 'string', minLength: 1, maxLength, example: 'ada' },
  )

/** The form in which tokens are compared, and in which they are unique. */
export const tokenKey = (token: string): string => caseFolded(token)
