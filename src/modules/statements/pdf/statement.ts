import { encode } from 'uqr'
import type { Statement } from '../../../generated/prisma/client.ts'
import type { Language } from '../../../kernel/languages.ts'
import { statementTexts } from '../../../texts/texts.ts'
import { writerFor } from '../../../texts/writer.ts'
import { writtenMonth } from '../../mails/template-values.ts'
import type { Disclosed } from '../document.ts'
import type { Line } from '../lines.ts'
import { textOfLine } from '../texts.ts'
import { flowOn, left } from './flow.ts'
import { newPaper, type Paper, paper } from './paper.ts'

export type Printed = Pick<
  Statement,
  'month' | 'currency' | 'number' | 'openingCents' | 'closingCents' | 'lines' | 'disclosed' | 'hash' | 'createdAt'
>
/** `locale` is that of its amounts. */
type Of = { programName: string; sandbox: boolean; verifyUrl: string; language: Language; locale: string }
type Footer = { hash: string; page: (page: number) => string; verify: string }

/** The statement on paper in a language, with its hash and where it is verified on each page. */
export async function statementPdf(statement: Printed, of: Of): Promise<Buffer> {
  const { currency, number, openingCents, closingCents, createdAt, hash } = statement
  const { language, locale, sandbox } = of
  const texts = statementTexts[language]
  const disclosed = statement.disclosed as Disclosed
  // Its only dates are months.
  const writer = { ...writerFor(locale, 'UTC'), month: monthsIn(locale) }
  const money = (cents: bigint) => writer.money({ cents, currency })
  const month = writer.month(statement.month)
  const title = texts.title(number, month)
  const on = await newPaper({ title, language, createdAt })
  const page = (count: number) => (sandbox ? texts.sandboxPage(texts.page(month, count)) : texts.page(month, count))
  const footer = { hash, page, verify: texts.verify(of.verifyUrl) }
  const { data: code } = encode(of.verifyUrl, { border: 0 })
  const print = flowOn(on, language, (count) => {
    on.squares(left, paper.height - 92, 52, code)
    writeFooter(on, count, footer)
  })
  print.paragraph(16, title, true)
  print.paragraph(9, texts.amounts(of.programName, currency.toUpperCase()))
  if (sandbox) print.paragraph(9, texts.sandbox, true)
  print.gap()
  for (const field of ['name', 'company', 'address', 'email']) {
    const text = disclosed[`affiliate.${field}`]?.text
    if (text) print.paragraph(9, text)
  }
  print.gap()
  print.row('', texts.opening, money(openingCents), true)
  for (const line of JSON.parse(statement.lines) as Line[]) {
    const reason = disclosed[`lines.${line.number}.reason`]?.text
    const text = textOfLine(line, currency, texts, writer)
    print.row(String(line.number), reason ? `${text}: ${reason}` : text, money(BigInt(line.amountCents)))
  }
  print.row('', texts.closing, money(closingCents), true)
  return on.end()
}

/** Writes months in a locale. Most lines are of the same one. */
export function monthsIn(locale: string): (month: string) => string {
  const written = new Map<string, string>()
  return (month) => {
    const text = written.get(month) ?? writtenMonth(month, locale)
    written.set(month, text)
    return text
  }
}

/** On every page: the hash, and the address where anybody verifies it. */
function writeFooter(on: Paper, number: number, { hash, page, verify }: Footer): void {
  const [x, y] = [left + 66, paper.height - 80]
  on.text(8, x, y, page(number))
  on.text(8, x, y + 14, verify)
  on.text(7, x, y + 28, `SHA-256 ${hash}`)
}
