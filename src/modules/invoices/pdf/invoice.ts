import type { Invoice } from '../../../generated/prisma/client.ts'
import type { Language } from '../../../kernel/languages.ts'
import type { InvoiceTexts } from '../../../texts/en/invoice.ts'
import { invoiceTexts, statementTexts } from '../../../texts/texts.ts'
import { writerFor } from '../../../texts/writer.ts'
import { writtenMonth } from '../../mails/template-values.ts'
import { flowOn, left } from '../../statements/pdf/flow.ts'
import { newPaper, paper } from '../../statements/pdf/paper.ts'
import type { InvoiceLine } from '../earned.ts'
import type { Party } from '../parties.ts'

export type Printed = Omit<Invoice, 'supplierTaxId' | 'vatCommissionId'> & {
  /** As it is to be written. Null: none. */
  supplierTaxId: string | null
  corrects: Pick<Invoice, 'number' | 'issuedOn'> | null
  statement: { number: number }
}

/** `locale` is that of its amounts. */
type Of = { programName: string; sandbox: boolean; language: Language; locale: string }

/** An invoice or a credit note on paper in a language. */
export async function invoicePdf(invoice: Printed, { programName, sandbox, language, locale }: Of): Promise<Buffer> {
  const { currency, number, kind, createdAt, vatCents, vatBasisPoints, corrects } = invoice
  const texts = invoiceTexts[language]
  const writer = writerFor(locale, 'UTC')
  const money = (cents: bigint) => writer.money({ cents, currency })
  const title = texts.title(texts.kinds[kind], number)
  const month = writtenMonth(invoice.month, locale)
  const on = await newPaper({ title, language, createdAt })
  const print = flowOn(on, language, (count) => {
    const page = texts.page(title, count)
    on.text(8, left, paper.height - 66, sandbox ? texts.sandboxPage(page) : page)
    on.text(8, left, paper.height - 52, programName)
  })
  print.paragraph(16, title, true)
  if (sandbox) print.paragraph(9, texts.sandbox, true)
  print.gap()
  const [supplier, buyer] = [invoice.supplier as Party, invoice.buyer as Party]
  const countries = new Intl.DisplayNames(language, { type: 'region' })
  print.columns([
    [texts.supplier, ...writtenParty({ ...supplier, taxId: invoice.supplierTaxId }, texts, countries)],
    [texts.buyer, ...writtenParty(buyer, texts, countries)],
  ])
  print.gap()
  print.columns([
    [texts.number, number],
    [texts.issuedOn, writer.day(invoice.issuedOn)],
    [texts.month, month],
  ])
  print.gap()
  if (corrects) {
    const refers = invoice.isCancellation ? texts.cancels : texts.corrects
    print.paragraph(9, refers(corrects.number, writer.day(corrects.issuedOn)))
  }
  if (invoice.reason !== null) print.paragraph(9, `${texts.reason}: ${invoice.reason}`)
  print.gap()
  const lines = invoice.lines as InvoiceLine[]
  for (const line of lines) {
    const { kinds } = statementTexts[language]
    const text = (kinds as Record<string, string>)[line.kind] ?? line.kind
    print.row(`${writer.count(BigInt(line.count))} ×`, text, money(BigInt(line.amountCents)), false, indent)
  }
  if (vatCents !== 0n) {
    print.row('', texts.net, money(invoice.netCents), false, indent)
    print.row('', texts.vat(writer.percent(vatBasisPoints)), money(vatCents), false, indent)
  }
  print.row('', texts.total, money(invoice.grossCents), true, indent)
  print.gap()
  for (const note of invoice.notes as string[]) print.paragraph(9, note, true)
  if (vatCents !== 0n && sumOf(lines) === invoice.grossCents) print.paragraph(9, texts.isIncluded)
  print.paragraph(9, texts.details(invoice.statement.number, month))
  return on.end()
}

/** Room for the count of a line, in points. */
const indent = 48

const sumOf = (lines: readonly InvoiceLine[]): bigint =>
  lines.reduce((sum, { amountCents }) => sum + BigInt(amountCents), 0n)

/** Name, address and numbers, a line each. */
function writtenParty(party: Party, texts: InvoiceTexts, countries: Intl.DisplayNames): string[] {
  const { name, street, postalCode, city, region, country, vatId, taxId } = party
  const lines = [name, street, [postalCode, city].filter((part) => part !== null).join(' ')]
  if (region !== null) lines.push(region)
  lines.push(countries.of(country) ?? country)
  if (vatId !== null) lines.push(texts.vatId(vatId))
  if (taxId !== null) lines.push(texts.taxId(taxId))
  return lines
}
