import { z } from 'zod'
import { country } from '../../../kernel/input/country.ts'
import {
  described,
  flag,
  oneOf,
  optional,
  record,
  reference,
  required,
  shownName,
  text,
} from '../../../kernel/input/fields.ts'
import { recipientTypes } from '../../affiliates/input.ts'

const addressPart = (what: string, example: string) => described(shownName(255), what, { example })

export const signTaxProfileInput = z.object({
  country: required(described(country(), 'The country of residence.')),
  recipientType: required(
    described(oneOf('RecipientType', recipientTypes), 'Whether the affiliate is a person or a business.'),
  ),
  legalName: required(
    described(shownName(255), 'The full name of the person or the company, as on an income tax return.'),
  ),
  street: required(addressPart('Street and number.', 'Hauptstraße 5')),
  postalCode: optional(described(shownName(20), 'The postal code.', { example: '10115' })),
  city: required(addressPart('The town.', 'Berlin')),
  region: optional(addressPart('The state or province.', 'CA')),
  vatId: optional(
    described(text(30), 'The VAT id. Its form and check digits are checked; whether it is registered is not.', {
      example: 'DE136695976',
    }),
  ),
  isSmallBusiness: optional(
    described(flag(), 'Whether the affiliate is a small business that charges no VAT.', { default: false }),
  ),
  isUsPerson: optional(
    described(
      flag(),
      'Whether the affiliate is a person of the United States for its taxes: a citizen, a resident, or a company there. By default, whoever lives there is.',
    ),
  ),
  taxId: optional(
    described(
      text(40),
      'The tax number of the country; on a W-9 the SSN, ITIN or EIN. It is encrypted. Without it, that of the profile before stays if the country is the same.',
    ),
  ),
  usTaxId: optional(
    described(text(20), 'The tax number of a foreign payee in the United States, for W-8BEN and W-8BEN-E.'),
  ),
  form: optional(
    described(record(), 'The fields of the form, by the names in docs/tax.md. Only if the payer needs a form.'),
  ),
  signedName: required(
    described(shownName(255), 'The name of the person who signs, under the certification of the form.'),
  ),
})

export const readTaxIdInput = z.object({
  affiliateId: required(described(reference(), 'The affiliate.')),
  reason: required(described(text(1_000), 'Why it is read. It is in the history.', { example: '1099-NEC of 2026' })),
})
