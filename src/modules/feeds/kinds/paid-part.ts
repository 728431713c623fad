/** A part of an invoice, such as its tax, as far as it was paid now: a balance of the customer paid the rest before. */
export const paidPart = (part: bigint, paid: bigint, total: bigint): bigint =>
  total > paid ? (2n * part * paid + total) / (2n * total) : part
