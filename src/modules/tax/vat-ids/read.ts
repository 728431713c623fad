import * as ch from 'stdnum/lib/cjs/ch/vat.js'
import * as gb from 'stdnum/lib/cjs/gb/vat.js'
import * as no from 'stdnum/lib/cjs/no/mva.js'
import { unionAToH } from './union-a-to-h.ts'
import { unionIToZ } from './union-i-to-z.ts'

type Validator = { validate(value: string): { isValid: boolean } }

/** By the letters that VAT ids begin with: the EU, Switzerland, the United Kingdom, Norway, Northern Ireland. */
const validators: Readonly<Record<string, Validator>> = {
  ...unionAToH,
  ...unionIToZ,
  CH: ch,
  GB: gb,
  NO: no,
  XI: gb,
}

/** VAT ids of Greece begin with EL. */
const lettersOf = (country: string) => (country === 'GR' ? 'EL' : country)

/**
 * Reads a VAT id as people write it. Letters, length and check digits are compared; whether it is registered is not:
 * VIES is not asked. Ids of countries without a known form are accepted as they are.
 * @param country of residence, which an id without letters belongs to
 * @returns the id with the letters of its country, without blanks and signs; null if its form is wrong
 */
export function readVatId(given: string, country: string): string | null {
  const compact = given.toUpperCase().replace(/[\s./-]/g, '')
  const begin = compact.slice(0, 2)
  const letters = validators[begin] ? begin : lettersOf(country)
  const validator = validators[letters]
  if (!validator) return /^[A-Z0-9]{4,20}$/.test(compact) ? compact : null
  // The letters of Switzerland are a part of the number: CHE.
  const digits = letters !== 'CH' && compact.startsWith(letters) ? compact.slice(2) : compact
  if (!validator.validate(digits).isValid) return null
  return letters === 'CH' ? compact : letters + digits
}
