import { z } from 'zod'
import type { ProblemCode } from '../errors.ts'
import { saysCode } from './parse.ts'
import { withWire } from './wire.ts'

/** Bank codes in their electronic form: capitals, no blanks. Services also check the check digits. */
const bankCode = (pattern: RegExp, message: string, code: ProblemCode, example: string) =>
  withWire(
    z.preprocess(
      (value) => (typeof value === 'string' ? value.replace(/\s/g, '').toUpperCase() : value),
      z.string({ error: message }).refine((value) => pattern.test(value), { error: message, params: saysCode(code) }),
    ),
    { type: 'string', maxLength: 50, example },
  )

export const iban = () =>
  bankCode(/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/, 'is not a valid IBAN', 'not_an_iban', 'DE89370400440532013000')
export const bic = () =>
  bankCode(/^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$/, 'is not a valid BIC', 'not_a_bic', 'COBADEFFXXX')
