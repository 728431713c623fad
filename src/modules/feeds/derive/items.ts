import { groupBy } from '../../../kernel/group-by.ts'
import { readableAmount } from '../../../kernel/money/decimals.ts'
import type { Item, Payment } from '../facts.ts'

/** What a report can name at most. */
const mostItems = 100

type Line = Omit<Item, 'amountCents'> & { cents: bigint }

/** What was sold, as the sale has it, and what was changed for that, as sentences. */
export type SoldItems = { items: Item[] | undefined; notes: string[] }

/**
 * The lines of a payment as items that add up to at most the sale. Lines of a product with a credit line are added up.
 * What a balance or a discount took is shared over the others by their part, to the cent.
 */
export function soldItemsOf({ items = [], linesAreCut, currency }: Payment, saleCents: bigint): SoldItems {
  const lines = netted(items.map(({ amountCents, ...item }) => ({ ...item, cents: BigInt(amountCents) })))
  const surplus = sumOf(lines) - saleCents
  const named = shared(lines, surplus)
    .filter(({ productId }) => productId !== '')
    .map(({ cents, ...item }) => ({ ...item, amountCents: String(cents) }))
  const notes = [
    ...(surplus > 0n && named.length > 0
      ? [
          `Items are ${readableAmount(surplus, currency)} less in all: a balance or a discount paid it, shared by their part`,
        ]
      : []),
    ...(linesAreCut && named.length > 0
      ? [`Items beyond the first ${items.length} were not sent by the billing system: they earn as no product`]
      : []),
  ]
  if (named.length <= mostItems) return { items: named.length > 0 ? named : undefined, notes }
  return {
    items: undefined,
    notes: [...notes, `Items: a sale can have ${mostItems}, and these are ${named.length} products`],
  }
}

const sumOf = (lines: readonly Line[]) => lines.reduce((sum, { cents }) => sum + cents, 0n)

/** The lines, with one for each product that has a credit line; or one for each product if they are too many. */
function netted(lines: readonly Line[]): Line[] {
  const byProduct = groupBy(lines, ({ productId }) => productId)
  return [...byProduct.values()].flatMap((own) => {
    const credits = own.filter(({ cents }) => cents < 0n)
    const sold = own.filter(({ cents }) => cents >= 0n)
    if (credits.length === 0 && lines.length <= mostItems) return own
    const units = (list: readonly Line[]) => list.reduce((sum, { quantity = 1 }) => sum + quantity, 0)
    const more = units(sold) - units(credits)
    const quantity = more > 0 ? more : units(sold.length > 0 ? sold : credits)
    const [first] = sold.length > 0 ? sold : credits
    const cents = sumOf(own)
    return cents === 0n ? [] : [{ ...(first as Line), cents, quantity }]
  })
}

/** The lines, with an amount taken from those that are positive: by their part, the largest remainders first. */
function shared(lines: readonly Line[], takenCents: bigint): Line[] {
  const positive = lines.filter(({ cents }) => cents > 0n)
  const total = sumOf(positive)
  if (takenCents <= 0n || total === 0n) return [...lines]
  const shares = new Map(positive.map((line) => [line, (line.cents * takenCents) / total]))
  let left = [...shares.values()].reduce((rest, share) => rest - share, takenCents)
  const byRemainder = [...positive].sort((a, b) =>
    Number(((b.cents * takenCents) % total) - ((a.cents * takenCents) % total)),
  )
  for (const line of byRemainder) {
    if (left === 0n) break
    shares.set(line, (shares.get(line) ?? 0n) + 1n)
    left -= 1n
  }
  return lines.map((line) => ({ ...line, cents: line.cents - (shares.get(line) ?? 0n) }))
}
