import type { InvoiceTexts } from '../en/invoice.ts'

/** "Gutschrift" is here the word of the law for self-billing, so a credit note has another name. */
export const invoice: InvoiceTexts = {
  kinds: { invoice: 'Rechnung', credit_note: 'Rechnungskorrektur' },
  title: (kind, number) => `${kind} ${number}`,
  supplier: 'Leistender',
  buyer: 'Leistungsempfänger',
  number: 'Nummer',
  issuedOn: 'Ausstellungsdatum',
  month: 'Leistungsmonat',
  vatId: (id) => `USt-IdNr.: ${id}`,
  taxId: (id) => `Steuernummer: ${id}`,
  corrects: (number, day) => `Berichtigt ${number} vom ${day}`,
  cancels: (number, day) => `Storniert ${number} vom ${day}`,
  reason: 'Grund',
  details: (statement, month) => `Die Einzelheiten stehen in der Abrechnung ${statement}: ${month}.`,
  net: 'Nettobetrag',
  vat: (percent) => `Umsatzsteuer ${percent}`,
  total: 'Gesamtbetrag',
  isIncluded: 'Die Beträge der Zeilen enthalten die Umsatzsteuer.',
  page: (title, page) => `${title}, Seite ${page}`,
  sandbox: 'Dies ist ein Dokument einer Testumgebung. Es ist ungültig: Nichts wurde geleistet oder geschuldet.',
  sandboxPage: (page) => `${page}, Testumgebung, ungültig`,
}
