import type { VatTreatment } from '../../../generated/prisma/enums.ts'

/** The sentences that invoices have. */
export const wordKinds = [
  'self_billing',
  'reverse_charge',
  'small_business',
  'outside_scope',
  'private_person',
] as const
export type WordKind = (typeof wordKinds)[number]

/** A sentence that a program writes instead, for affiliates of a country. */
export type ChosenWord = { country: string; kind: WordKind; text: string }

/** Article 226(10a) and (11a) in English, and short sentences for the rest. */
const english: Record<WordKind, string> = {
  self_billing: 'Self-billing',
  reverse_charge: 'Reverse charge',
  small_business: 'VAT exempt: small enterprise, Art. 284 of Directive 2006/112/EC',
  outside_scope: 'Not subject to VAT: the place of supply is where the recipient is established',
  private_person: 'No VAT: the supplier is not a taxable person',
}

/**
 * The words by the country of the affiliate. The first two kinds are those of Article 226(10a) and (11a) of Directive
 * 2006/112/EC in the language versions of the Official Journal (Directive 2010/45/EU); the sentences of small
 * businesses are those of national law. What a country lacks is in English.
 */
const byCountry: Readonly<Record<string, Partial<Record<WordKind, string>>>> = {
  DE: {
    self_billing: 'Gutschrift',
    reverse_charge: 'Steuerschuldnerschaft des Leistungsempfängers',
    small_business: 'Umsatzsteuerfrei: Kleinunternehmer gemäß § 19 UStG',
    outside_scope: 'Nicht steuerbar: Leistungsort ist der Sitz des Leistungsempfängers (§ 3a Abs. 2 UStG)',
    private_person: 'Keine Umsatzsteuer: der Leistende ist kein Unternehmer',
  },
  AT: {
    self_billing: 'Gutschrift',
    reverse_charge: 'Steuerschuldnerschaft des Leistungsempfängers',
    small_business: 'Umsatzsteuerfrei: Kleinunternehmer gemäß § 6 Abs. 1 Z 27 UStG',
  },
  BE: {
    self_billing: 'Autofacturation / Factuur uitgereikt door afnemer',
    reverse_charge: 'Autoliquidation / Btw verlegd',
  },
  CZ: { self_billing: 'Vystaveno zákazníkem', reverse_charge: 'Daň odvede zákazník' },
  DK: { self_billing: 'Selvfakturering', reverse_charge: 'Omvendt betalingspligt' },
  ES: { self_billing: 'Facturación por el destinatario', reverse_charge: 'Inversión del sujeto pasivo' },
  FI: { self_billing: 'Itselaskutus', reverse_charge: 'Käännetty verovelvollisuus' },
  FR: {
    self_billing: 'Autofacturation',
    reverse_charge: 'Autoliquidation',
    small_business: 'TVA non applicable, art. 293 B du CGI',
  },
  IT: { self_billing: 'Autofatturazione', reverse_charge: 'Inversione contabile' },
  LU: { self_billing: 'Autofacturation', reverse_charge: 'Autoliquidation' },
  NL: { self_billing: 'Factuur uitgereikt door afnemer', reverse_charge: 'Btw verlegd' },
  PL: { self_billing: 'Samofakturowanie', reverse_charge: 'Odwrotne obciążenie' },
  PT: { self_billing: 'Autofaturação', reverse_charge: 'Autoliquidação' },
  SE: { self_billing: 'Självfakturering', reverse_charge: 'Omvänd betalningsskyldighet' },
}

const kindOf: Partial<Record<VatTreatment, WordKind>> = {
  reverse_charge: 'reverse_charge',
  reverse_charge_from_outside: 'reverse_charge',
  small_business: 'small_business',
  outside_scope: 'outside_scope',
  private_person: 'private_person',
}

/** A sentence for affiliates of a country: that of the program, or the default one. */
export const wordOf = (country: string, kind: WordKind, chosen: readonly ChosenWord[]): string =>
  chosen.find((one) => one.country === country && one.kind === kind)?.text ??
  byCountry[country]?.[kind] ??
  english[kind]

/**
 * The sentences of an invoice, in the words of the affiliate's country. Those of reverse charge are also in the words
 * of the buyer's country, whose tax office reads them.
 */
export function notesOf(
  treatment: VatTreatment,
  countries: { supplier: string; buyer: string },
  chosen: readonly ChosenWord[],
): string[] {
  const kind = kindOf[treatment]
  const kinds: WordKind[] = ['self_billing', ...(kind ? [kind] : [])]
  const isReversed = kind === 'reverse_charge'
  return kinds.map((one) => {
    const words = [wordOf(countries.supplier, one, chosen)]
    if (isReversed) words.push(wordOf(countries.buyer, one, chosen))
    return [...new Set(words)].join(' / ')
  })
}
