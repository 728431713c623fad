import type { Json } from '../../kernel/canonical-json.ts'
import type { StatementTexts } from '../../texts/en/statement.ts'
import { statement } from '../../texts/en/statement.ts'
import { plainWriter, type Writer } from '../../texts/writer.ts'
import type { BookedState } from './book.ts'
import type { Untold } from './line-kinds.ts'

type States = { before: { [name in keyof BookedState]: string }; after: { [name in keyof BookedState]: string } }
type Sale = { id: string; externalId: string | null; amountCents: string; currency: string }
/** Statements of earlier releases have no fee and no sum that arrived. */
type Payment = {
  reference: string | null
  fee?: { amountCents: string; currency: string } | null
  received?: { amountCents: string; currency: string; rate: string | null } | null
}
type Calculation = {
  rate: { basisPoints?: number; parts?: readonly Json[] }
  rule: { version: number | null }
  saleCents: string
}

/** How a line is written. `month` writes a month such as `2026-10`. */
export type LineWriter = Pick<Writer, 'money' | 'percent'> & { month: (month: string) => string }

const signedWriter: LineWriter = {
  money: plainWriter.money,
  percent: (basisPoints) => `${basisPoints / 100} %`,
  month: (month) => month,
}

/** A line in English words, which is signed with it. */
export const signedText = (line: Untold, currency: string): string =>
  textOfLine(line, currency, statement, signedWriter)

/** A line in the words of a language, from what is signed of it. @param currency of the statement */
export function textOfLine(
  line: Untold,
  currency: string,
  { kinds, reasons, line: words }: StatementTexts,
  writer: LineWriter,
): string {
  const { kind } = line
  const money = (cents: bigint, of = currency) => writer.money({ cents, currency: of })
  const amount = BigInt(line.amountCents as string)
  // A part of a payment that came back is paid with its payment, as less than nothing.
  if (kind === 'payment_returned' || (kind === 'payment' && amount > 0n)) return words.returned(money(amount))
  if (kind === 'payment') {
    const { reference = null, fee = null, received = null } = (line.payment as Payment | null) ?? {}
    const more = [
      reference && words.reference(reference),
      fee && words.fee(money(BigInt(fee.amountCents), fee.currency)),
      received && words.received(money(BigInt(received.amountCents), received.currency)),
      received?.rate && words.rate(received.rate),
    ]
    return `${words.payment(money(-amount))}${more.filter(Boolean).join('')}`
  }
  if (kind === 'withheld') return amount < 0n ? words.withheld(money(-amount)) : words.notWithheld(money(amount))
  const month = writer.month(line.month as string)
  const of = line.sale as Sale | null
  const sale = of && words.sale(of.externalId ?? of.id, month)
  if (kind === 'nothing') {
    const { amountCents, currency: ofSale } = of as Sale
    const because = line.nothingBecause as string
    const reason = (reasons as Record<string, string>)[because] ?? because
    return words.nothing(sale as string, money(BigInt(amountCents), ofSale), reason)
  }
  const subject = sale ? words.forSale(kinds[kind], sale) : words.ofMonth(kinds[kind], month)
  const calculation = line.calculation as Calculation | undefined
  const rate = kind === 'commission' && calculation ? rateText(calculation, words, money, writer) : ''
  const { before, after } = line.commission as States
  const changed =
    before.state === 'open' && after.state === 'open'
      ? words.changed(money(BigInt(before.amountCents)), money(BigInt(after.amountCents)))
      : ''
  return `${subject}${rate}${changed}`
}

function rateText(
  { rate, rule, saleCents }: Calculation,
  words: StatementTexts['line'],
  money: (cents: bigint) => string,
  writer: LineWriter,
): string {
  const by = rule.version === null ? '' : words.version(rule.version)
  if (rate.parts) return `${words.parts(rate.parts.length)}${by}`
  if (rate.basisPoints === undefined) return `${words.fixed}${by}`
  return `${words.percent(writer.percent(rate.basisPoints), money(BigInt(saleCents)))}${by}`
}
