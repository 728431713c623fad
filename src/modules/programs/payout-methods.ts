import { z } from 'zod'
import { oneOf } from '../../kernel/input/fields.ts'
import { withWire } from '../../kernel/input/wire.ts'

export const payoutMethods = ['paypal', 'wise', 'sepa', 'generic', 'manual'] as const

export const payoutMethod = oneOf('PayoutMethod', payoutMethods)

/** Bank codes in their electronic form: capitals, no blanks. Services also check the check digits. */
const bankCode = (pattern: RegExp, message: string, example: string) =>
  withWire(
    z.preprocess(
      (value) => (typeof value === 'string' ? value.replace(/\s/g, '').toUpperCase() : value),
      z.string({ error: message }).regex(pattern, { error: message }),
    ),
    { type: 'string', maxLength: 50, example },
  )

export const iban = () => bankCode(/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/, 'is not a valid IBAN', 'DE89370400440532013000')
export const bic = () => bankCode(/^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$/, 'is not a valid BIC', 'COBADEFFXXX')
