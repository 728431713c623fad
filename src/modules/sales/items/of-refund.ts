import type { Prisma, Sale } from '../../../generated/prisma/client.ts'
import type { Problem } from '../../../kernel/errors.ts'
import { problem } from '../../../kernel/input/parse.ts'
import { type RefundedItem, refundedItems } from '../../commissions/lines.ts'
import { soldItems } from './read-items.ts'

/**
 * The problems of the items that a refund names: products that the sale does not have, or more than is left of one.
 * @param amountCents of the refund
 */
export async function itemProblems(
  tx: Prisma.TransactionClient,
  sale: Sale,
  items: readonly RefundedItem[] | null,
  amountCents: bigint,
): Promise<Problem[]> {
  if (items === null) return []
  const { programId, id: saleId } = sale
  const sum = items.reduce((total, item) => total + BigInt(item.amountCents), 0n)
  if (sum > amountCents)
    return [
      problem('items', `must add up to at most the amount of the refund: they are ${sum}, and it is ${amountCents}`),
    ]
  const left = new Map<string, bigint>()
  const add = (productId: string, cents: bigint) => left.set(productId, (left.get(productId) ?? 0n) + cents)
  const units = new Map<string, number>()
  const addUnits = (productId: string, count = 0) => units.set(productId, (units.get(productId) ?? 0) + count)
  for (const { productId, amountCents: cents, quantity } of soldItems(sale)) {
    add(productId, BigInt(cents))
    addUnits(productId, quantity)
  }
  const before = await tx.refund.findMany({ where: { programId, saleId, reversedAt: null }, select: { items: true } })
  for (const { productId, amountCents: cents, quantity = 0 } of before.flatMap(refundedItems)) {
    add(productId, -BigInt(cents))
    addUnits(productId, -quantity)
  }
  return items.flatMap(({ productId, amountCents: cents, quantity = 0 }, index): Problem[] => {
    const open = left.get(productId)
    const at = { field: 'items', path: ['items', index, open === undefined ? 'productId' : 'amountCents'] }
    if (open === undefined) return [{ ...at, message: `The sale has no product ${productId}.` }]
    add(productId, -BigInt(cents))
    const openUnits = units.get(productId) ?? 0
    addUnits(productId, -quantity)
    if (quantity > openUnits)
      return [
        {
          field: 'items',
          path: ['items', index, 'quantity'],
          message: `Only ${openUnits} of the product ${productId} can still be given back.`,
        },
      ]
    return BigInt(cents) > open
      ? [{ ...at, message: `Only ${open} of the product ${productId} can still be refunded.` }]
      : []
  })
}
