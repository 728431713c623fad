import { z } from 'zod'
import { country } from '../../../kernel/input/country.ts'
import {
  clearable,
  described,
  flag,
  shownName,
  text,
  unchangedIfAbsent,
  wholeNumber,
} from '../../../kernel/input/fields.ts'

/** Hundredths of a percent. */
export const basisPoints = () => wholeNumber(0, 10_000)

const line = (what: string, example: string) => clearable(described(shownName(255), what, { example }))

export const updateTaxSettingsInput = z.object({
  needsProfileForPayouts: unchangedIfAbsent(
    described(flag(), 'Whether payouts wait until the affiliate has signed a tax profile.'),
  ),
  payerCountry: clearable(
    described(
      country(),
      'The country of the company that pays. In the United States, affiliates sign W-9, W-8BEN or W-8BEN-E.',
    ),
  ),
  payerName: line('The full name of the company that pays.', 'Acme GmbH'),
  payerStreet: line('Its street and number.', 'Hauptstraße 5'),
  payerPostalCode: line('Its postal code.', '10115'),
  payerCity: line('Its town.', 'Berlin'),
  payerRegion: line('Its state or province.', 'CA'),
  payerVatId: clearable(described(text(30), 'Its VAT id.', { example: 'DE136695976' })),
  payerTaxId: clearable(described(text(40), 'Its tax number, as it is on papers.')),
  withholdingBasisPoints: clearable(
    described(
      basisPoints(),
      'How much of each payout is withheld as tax, in hundredths of a percent: 1500 is 15 %. Null: nothing. It holds for payments that are made from then on, of affiliates without a rate of their own.',
    ),
  ),
})
