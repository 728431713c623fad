import type { VatTreatment } from '../../../generated/prisma/enums.ts'
import { isInUnion, standardRate } from './rates.ts'

/** Who supplies: the affiliate, by the tax profile. */
export type Supplier = {
  country: string
  recipientType: 'person' | 'business'
  vatId: string | null
  isSmallBusiness: boolean
}

/** Who buys: the company of the program. */
export type Buyer = { country: string; vatId: string | null }

export type Vat = { treatment: VatTreatment; basisPoints: number }

/** What keeps an invoice from being right. */
export type VatLack = 'supplier_vat_id' | 'buyer_vat_id'

type Case = Supplier & { buyer: Buyer; rate: number | null }

/** A person who has neither a VAT id nor says to be a small business is not taken for a taxable person. */
const isTaxable = ({ recipientType, vatId, isSmallBusiness }: Supplier) =>
  recipientType === 'business' || vatId !== null || isSmallBusiness

const isDomestic = ({ country, buyer }: Case) => country === buyer.country

/**
 * The rules, of which the first that applies decides, each with its source. Articles are those of Directive
 * 2006/112/EC as amended. An affiliate supplies a service to a business (Articles 24 and 44).
 */
export const treatments: readonly {
  treatment: VatTreatment
  when: string
  source: string
  applies: (of: Case) => boolean
}[] = [
  {
    treatment: 'private_person',
    when: 'The affiliate is a person without a VAT id, and not a small business.',
    source: 'Art. 9(1): only taxable persons charge VAT',
    applies: (of) => !isTaxable(of),
  },
  {
    treatment: 'small_business',
    when: 'The affiliate is a small business in the country of the program, or has no VAT id in another member state.',
    source: 'Art. 284, 292b; such as § 19 UStG (DE), § 6 Abs. 1 Z 27 UStG (AT), Art. 293 B CGI (FR)',
    applies: (of) =>
      of.isSmallBusiness &&
      (isDomestic(of) || (isInUnion(of.country) && isInUnion(of.buyer.country) && of.vatId === null)),
  },
  {
    treatment: 'domestic',
    when: 'Both are in the same country, whose standard rate is known.',
    source: 'Art. 44, 96, 97, 193; VATA 1994 s. 2 (GB); MWSTG Art. 25 (CH); mval. § 5-1 (NO)',
    applies: (of) => isDomestic(of) && of.rate !== null,
  },
  {
    treatment: 'reverse_charge',
    when: 'Both are in different member states.',
    source: 'Art. 44, 196; the sentences of Art. 226(10a) and (11a)',
    applies: ({ country, buyer }) => country !== buyer.country && isInUnion(country) && isInUnion(buyer.country),
  },
  {
    treatment: 'reverse_charge_from_outside',
    when: 'The affiliate is outside the EU, and the program in it.',
    source: 'Art. 44, 196: the supplier is not established in the member state of the buyer',
    applies: ({ country, buyer }) => !isInUnion(country) && isInUnion(buyer.country),
  },
  {
    treatment: 'outside_scope',
    when: 'The affiliate is in the EU, the United Kingdom, Switzerland or Norway, and the program in another country outside the EU.',
    source:
      'Art. 44: the place of supply is that of the buyer; the same in VATA 1994 s. 7A, MWSTG Art. 8(1), mval. § 6-22',
    applies: (of) => !isDomestic(of) && of.rate !== null,
  },
  {
    treatment: 'no_vat',
    when: 'Everything else: no tax of this table applies, such as between companies of the United States.',
    source: '',
    applies: () => true,
  },
]

/** How an invoice is taxed that is for services until a day such as `2026-10-31`. */
export function vatOf(supplier: Supplier, buyer: Buyer, day: string): Vat {
  const rate = standardRate(supplier.country, day)
  const of = { ...supplier, buyer, rate }
  const found = treatments.find(({ applies }) => applies(of))?.treatment ?? 'no_vat'
  return { treatment: found, basisPoints: found === 'domestic' ? (rate ?? 0) : 0 }
}

/** The VAT id that a reverse charge needs and lacks: Art. 226(3) and (4). A supplier outside the EU needs no VAT id. */
export function lackOf({ treatment }: Vat, supplier: Supplier, buyer: Buyer): VatLack | null {
  if (treatment === 'reverse_charge' && supplier.vatId === null) return 'supplier_vat_id'
  const isReversed = treatment === 'reverse_charge' || treatment === 'reverse_charge_from_outside'
  return isReversed && buyer.vatId === null ? 'buyer_vat_id' : null
}
