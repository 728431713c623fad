import { describe, expect, it } from 'vitest'
import { amountsOf } from '../../../src/modules/invoices/vat/amounts.ts'
import { isInUnion, standardRate } from '../../../src/modules/invoices/vat/rates.ts'
import { lackOf, type Supplier, vatOf } from '../../../src/modules/invoices/vat/treatments.ts'
import { notesOf } from '../../../src/modules/invoices/vat/words.ts'

const business = (country: string, more: Partial<Supplier> = {}): Supplier => ({
  country,
  recipientType: 'business',
  vatId: `${country}1`,
  isSmallBusiness: false,
  ...more,
})
const buyer = (country: string) => ({ country, vatId: `${country}1` })
const [inDe, inUs, inGb] = [buyer('DE'), buyer('US'), buyer('GB')]
const noId = { vatId: null }
const small = { isSmallBusiness: true }
const person = { recipientType: 'person' } as const

describe('how an invoice is taxed', () => {
  it.each([
    ['a company of the same country', business('DE'), inDe, 'domestic', 1_900],
    ['a freelancer with a VAT id', business('DE', person), inDe, 'domestic', 1_900],
    ['a company without a VAT id in the same country', business('DE', noId), inDe, 'domestic', 1_900],
    ['a company of another member state', business('FR'), inDe, 'reverse_charge', 0],
    ['a small business of another member state, with a VAT id', business('FR', small), inDe, 'reverse_charge', 0],
    [
      'a small business of another member state, without',
      business('FR', { ...small, ...noId }),
      inDe,
      'small_business',
      0,
    ],
    [
      'a small business of the same country',
      business('DE', { ...small, ...noId, ...person }),
      inDe,
      'small_business',
      0,
    ],
    ['a private person', business('DE', { ...person, ...noId }), inDe, 'private_person', 0],
    ['a company from outside', business('US', noId), inDe, 'reverse_charge_from_outside', 0],
    ['a company of the United Kingdom, for the EU', business('GB'), inDe, 'reverse_charge_from_outside', 0],
    ['a company of the EU, for outside', business('DE'), inUs, 'outside_scope', 0],
    ['a company of the EU, for the United Kingdom', business('FR'), inGb, 'outside_scope', 0],
    ['a company of the United Kingdom, at home', business('GB'), inGb, 'domestic', 2_000],
    ['companies of the United States', business('US', noId), inUs, 'no_vat', 0],
  ] as const)('%s: %s, %s', (_, supplier, of, treatment, basisPoints) => {
    expect(vatOf(supplier, of, '2026-10-31')).toEqual({ treatment, basisPoints })
  })

  it('takes the rate of the day', () => {
    expect(['2025-06-30', '2025-07-01'].map((day) => standardRate('EE', day))).toEqual([2_200, 2_400])
    expect(standardRate('FI', '2026-01-31')).toBe(2_550)
    expect(standardRate('US', '2026-01-31')).toBeNull()
    const members = 'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' ')
    expect(members.every(isInUnion)).toBe(true)
    expect(['GB', 'CH', 'NO', 'US'].some(isInUnion)).toBe(false)
  })

  it('needs the VAT ids for reverse charge', () => {
    const reversed = { treatment: 'reverse_charge', basisPoints: 0 } as const
    expect(lackOf(reversed, business('FR', noId), inDe)).toBe('supplier_vat_id')
    expect(lackOf(reversed, business('FR'), { country: 'DE', vatId: null })).toBe('buyer_vat_id')
    expect(lackOf(reversed, business('FR'), inDe)).toBeNull()
    expect(lackOf({ treatment: 'domestic', basisPoints: 1_900 }, business('DE', noId), inDe)).toBeNull()
  })
})

describe('the tax of an amount', () => {
  it.each([
    [1_000n, 1_900, false, [1_000n, 190n, 1_190n]],
    [1n, 2_550, false, [1n, 0n, 1n]],
    [50n, 1_900, false, [50n, 10n, 60n]],
    // 9.5 is rounded away from zero, in both directions.
    [-50n, 1_900, false, [-50n, -10n, -60n]],
    [1_190n, 1_900, true, [1_000n, 190n, 1_190n]],
    [-1_190n, 1_900, true, [-1_000n, -190n, -1_190n]],
    [100n, 1_900, true, [84n, 16n, 100n]],
    [100n, 0, true, [100n, 0n, 100n]],
  ] as const)('%s at %s, included: %s', (cents, basisPoints, isIncluded, [netCents, vatCents, grossCents]) => {
    expect(amountsOf(cents, basisPoints, isIncluded)).toEqual({ netCents, vatCents, grossCents })
  })
})

describe('the sentences', () => {
  it('are in the words of the countries, and a program can replace them', () => {
    const between = { supplier: 'FR', buyer: 'DE' }
    expect(notesOf('reverse_charge', between, [])).toEqual([
      'Autofacturation / Gutschrift',
      'Autoliquidation / Steuerschuldnerschaft des Leistungsempfängers',
    ])
    expect(notesOf('small_business', { supplier: 'DE', buyer: 'DE' }, [])).toEqual([
      'Gutschrift',
      'Umsatzsteuerfrei: Kleinunternehmer gemäß § 19 UStG',
    ])
    expect(notesOf('domestic', { supplier: 'GB', buyer: 'GB' }, [])).toEqual(['Self-billing'])
    expect(
      notesOf('domestic', { supplier: 'GB', buyer: 'GB' }, [
        { country: 'GB', kind: 'self_billing', text: 'Self-billed invoice' },
      ]),
    ).toEqual(['Self-billed invoice'])
  })
})
