export const metrics = [
  'visitors',
  'leads',
  'conversions',
  'conversion_rate',
  'sales',
  'sales_amount',
  'refunds',
  'refund_amount',
  'refund_rate',
  'commission_accrued',
  'commission_due',
  'commission_paid',
  'commission_void',
  'average_sale',
  'earnings_per_click',
] as const
export type Metric = (typeof metrics)[number]

export const kinds = ['visitor', 'lead', 'conversion', 'sale', 'refund', 'accrued', 'due', 'paid', 'voided'] as const
export type Kind = (typeof kinds)[number]

export type Term = { kind: Kind; of: 'count' | 'amount' }

/** A sum, divided by another sum if `per` is given. */
export type Formula = { sum: Term; per?: Term; unit: 'count' | 'rate' | 'money' }

const count = (kind: Kind): Term => ({ kind, of: 'count' })
const amount = (kind: Kind): Term => ({ kind, of: 'amount' })

export const formulas: Record<Metric, Formula> = {
  visitors: { sum: count('visitor'), unit: 'count' },
  leads: { sum: count('lead'), unit: 'count' },
  conversions: { sum: count('conversion'), unit: 'count' },
  conversion_rate: { sum: count('conversion'), per: count('visitor'), unit: 'rate' },
  sales: { sum: count('sale'), unit: 'count' },
  sales_amount: { sum: amount('sale'), unit: 'money' },
  refunds: { sum: count('refund'), unit: 'count' },
  refund_amount: { sum: amount('refund'), unit: 'money' },
  refund_rate: { sum: amount('refund'), per: amount('sale'), unit: 'rate' },
  commission_accrued: { sum: amount('accrued'), unit: 'money' },
  commission_due: { sum: amount('due'), unit: 'money' },
  commission_paid: { sum: amount('paid'), unit: 'money' },
  commission_void: { sum: amount('voided'), unit: 'money' },
  average_sale: { sum: amount('sale'), per: count('sale'), unit: 'money' },
  earnings_per_click: { sum: amount('accrued'), per: count('visitor'), unit: 'money' },
}

export const kindsOf = ({ sum, per }: Formula): Kind[] => [...new Set([sum.kind, ...(per ? [per.kind] : [])])]

/** Visitors, leads and conversions have no currency. */
export const hasCurrency = (kind: Kind): boolean => !['visitor', 'lead', 'conversion'].includes(kind)

/** The value of a metric: a number, or minor units of a currency. Both are null if the divisor is 0. */
export type Amount = { value: number | null; cents: bigint | null }

export function evaluate({ per, unit }: Formula, sum: bigint, divisor: bigint): Amount {
  if (unit === 'count') return { value: Number(sum), cents: null }
  if (unit === 'rate') return { value: rate(sum, divisor), cents: null }
  return { value: null, cents: per ? average(sum, divisor) : sum }
}

export const rate = (part: bigint, whole: bigint): number | null => (whole === 0n ? null : Number(part) / Number(whole))

/** sum / count, rounded half up to a whole minor unit. Null if `count` is 0; it must not be negative. */
export function average(sum: bigint, count: bigint): bigint | null {
  if (count === 0n) return null
  const [dividend, divisor] = [2n * sum + count, 2n * count]
  // BigInt division truncates towards zero, but rounding half up needs the floor.
  const quotient = dividend / divisor
  return dividend < 0n && quotient * divisor !== dividend ? quotient - 1n : quotient
}
