import { TributaryError } from '../kernel/errors.ts'
import { editDistance } from '../kernel/misnamed.ts'
import { excerpt } from '../kernel/text.ts'

const mostNamed = 5
const maxEdits = 2

/** What other systems call a field of a report. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  amount_cents: ['total', 'price', 'value', 'revenue', 'sale_amount'],
  external_id: ['order_id', 'invoice_id', 'transaction_id', 'charge_id', 'sale_id', 'id'],
  referral_id: ['client_reference_id', 'click_id', 'visit_id'],
  coupon: ['promo_code', 'promotion_code', 'discount_code', 'code', 'voucher'],
  occurred_at: ['created_at', 'date', 'timestamp', 'sold_at'],
}

/**
 * The error of a report that failed, with the fields that were ignored: a misspelled one may be why it failed.
 * @param sent the names of the fields of the request
 * @param known the names that the route reads
 */
export function namingUnknownFields(error: unknown, sent: readonly string[], known: readonly string[]): unknown {
  const isFailure = error instanceof TributaryError && (error.code === 'INVALID_INPUT' || error.code === 'REFUSED')
  const unknown = sent.filter((name) => !known.includes(name)).slice(0, mostNamed)
  if (!isFailure || unknown.length === 0) return error
  const sentences = unknown.map((name) => {
    const meant = meantField(name, known, sent)
    return `Unknown field: ${excerpt(name)}.${meant ? ` Did you mean ${meant}?` : ''}`
  })
  const { code, problems, reasons } = error
  return new TributaryError(code, [error.message, ...sentences].join(' '), problems, { reasons })
}

/** The known field that was probably meant, which was not sent itself. */
function meantField(given: string, known: readonly string[], sent: readonly string[]): string | undefined {
  const name = given
    .slice(0, 100)
    .replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    .replaceAll('-', '_')
  const open = known.filter((field) => !sent.includes(field))
  const isPart = (field: string) =>
    field.startsWith(`${name}_`) || name.startsWith(`${field}_`) || name.endsWith(`_${field}`)
  return (
    open.find((field) => field === name) ??
    open.find((field) => otherNames[field]?.includes(name)) ??
    open.find(isPart) ??
    open.find((field) => editDistance(name, field) <= maxEdits)
  )
}
