// What the stand-in of Wise keeps, and how its answers say it.

export type Account = { id: number; email: string; currency: string }
export type Quote = {
  id: string
  targetAccount: number
  isOfSource: boolean
  source: number
  target: number
  fee: number
  used: boolean
} & Pair
type Pair = { sourceCurrency: string; targetCurrency: string; rate: number }
export type Transfer = {
  id: number
  ourId: string
  groupId: string
  account: Account
  quote: Quote
  status: string
  created: string
  changed: string
}
export type Group = {
  id: string
  version: number
  name: string
  sourceCurrency: string
  status: string
  funded: boolean
}

const quoteMs = 30 * 60_000

/** Amounts are numbers in its answers. */
export const major = (cents: number) => Number((cents / 100).toFixed(2))

export function groupBody({ id, version, name, sourceCurrency, status }: Group, transfers: readonly Transfer[]) {
  return { id, version, name, sourceCurrency, status, transferIds: transfers.map((one) => one.id) }
}
export const transferBody = ({ id, ourId, account, quote, status, created }: Transfer) => ({
  id,
  targetAccount: account.id,
  quoteUuid: quote.id,
  status,
  rate: quote.rate,
  created,
  sourceCurrency: quote.sourceCurrency,
  sourceValue: major(quote.source - quote.fee),
  targetCurrency: quote.targetCurrency,
  targetValue: major(quote.target),
  customerTransactionId: ourId,
})
export function quoteBody({ id, sourceCurrency, targetCurrency, rate, source, target, fee, isOfSource }: Quote) {
  const amounts = { sourceAmount: major(source), targetAmount: major(target) }
  const money = { sourceCurrency, targetCurrency, ...amounts }
  return {
    id,
    ...money,
    rate,
    providedAmountType: isOfSource ? 'SOURCE' : 'TARGET',
    payOut: 'BANK_TRANSFER',
    expirationTime: new Date(Date.now() + quoteMs).toISOString(),
    paymentOptions: [
      { payIn: 'BANK_TRANSFER', payOut: 'BANK_TRANSFER', ...money, fee: { total: major(fee * 2) } },
      { payIn: 'BALANCE', payOut: 'BANK_TRANSFER', ...money, fee: { total: major(fee) } },
    ],
  }
}

/** What Wise wants to know of recipients by e-mail. */
export const form = {
  type: 'email',
  title: 'Email',
  fields: [
    { name: 'Email', group: [{ key: 'email', name: 'Email', type: 'text', required: true }] },
    {
      name: 'Recipient type',
      group: [{ key: 'legalType', name: 'Recipient type', type: 'select', required: false }],
    },
  ],
}
