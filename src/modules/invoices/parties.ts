import type { TaxProfile } from '../../generated/prisma/client.ts'
import { refused } from '../../kernel/errors.ts'
import type { Settings as TaxSettings } from '../tax/settings.ts'

/** One of the two parties of an invoice, as it is written there. */
export type Party = {
  name: string
  street: string
  postalCode: string | null
  city: string
  region: string | null
  country: string
  vatId: string | null
  /** Null for suppliers: theirs is encrypted, beside the party. */
  taxId: string | null
}

/** The affiliate, who supplies. */
export const supplierOf = (profile: TaxProfile): Party => ({
  name: profile.legalName,
  street: profile.street,
  postalCode: profile.postalCode,
  city: profile.city,
  region: profile.region,
  country: profile.country,
  vatId: profile.vatId,
  taxId: null,
})

/** The company of the program, which buys. @throws REFUSED if what an invoice needs is not in the tax settings */
export function buyerOf(settings: TaxSettings): Party {
  const { payerName: name, payerStreet: street, payerCity: city, payerCountry: country } = settings
  if (name === null || street === null || city === null || country === null)
    throw refused(
      'An invoice names the company that pays. Set payerName, payerStreet, payerCity and payerCountry with updateTaxSettings first.',
    )
  return {
    name,
    street,
    postalCode: settings.payerPostalCode,
    city,
    region: settings.payerRegion,
    country,
    vatId: settings.payerVatId,
    taxId: settings.payerTaxId,
  }
}
