import type { z } from 'zod'
import type { Prisma, Sale } from '../../../generated/prisma/client.ts'
import type { Problem } from '../../../kernel/errors.ts'
import { placedAt } from '../../../kernel/input/entries.ts'
import { problem, readFields } from '../../../kernel/input/parse.ts'
import type { RefundedItem } from '../../commissions/lines.ts'
import type { SoldItem } from '../../rules/sale.ts'
import { refundItemInput, saleItemInput } from './input.ts'

/** `value` is null if an item is not valid. */
type Read<T> = { value: T[] | null; problems: Problem[] }

/** Reads the items of a sale, with every problem. @param amountCents of the sale; undefined if it is not valid */
export function readSaleItems(raws: readonly unknown[] | undefined, amountCents: bigint | undefined): Read<SoldItem> {
  const read = readItems(saleItemInput, raws, amountCents, 'the amount of the sale')
  const value = read.items.map(({ productId, name = null, amountCents: own, quantity = 1 }) => {
    return { productId, name, amountCents: String(own), quantity }
  })
  return { problems: read.problems, value: value.length === 0 ? null : value }
}

/** Reads the items of a refund, with every problem. @param amountCents of the refund; undefined if it is not given */
export function readRefundItems(
  raws: readonly unknown[] | undefined,
  amountCents: bigint | undefined,
): Read<RefundedItem> {
  const read = readItems(refundItemInput, raws, amountCents, 'the amount of the refund')
  const value = read.items.map((item): RefundedItem => {
    const quantity = 'quantity' in item ? item.quantity : undefined
    return { productId: item.productId, amountCents: String(item.amountCents), ...(quantity && { quantity }) }
  })
  return { problems: read.problems, value: value.length === 0 ? null : value }
}

function readItems<S extends typeof saleItemInput | typeof refundItemInput>(
  schema: S,
  raws: readonly unknown[] | undefined,
  mostCents: bigint | undefined,
  most: string,
) {
  const read = (raws ?? []).map((raw) => readFields(schema, raw))
  const problems = read.flatMap((one, index) => one.problems.map((own) => placedAt(['items', index], own)))
  if (problems.length > 0) return { items: [], problems }
  const items = read.map(({ readable }) => readable as z.output<S>)
  const sum = items.reduce((total, { amountCents }) => total + amountCents, 0n)
  if (mostCents !== undefined && sum > mostCents)
    problems.push(problem('items', `must add up to at most ${most}: they are ${sum}, and it is ${mostCents}`))
  return { items, problems }
}

/** As a row has them. */
export const storedList = (items: readonly SoldItem[] | null): Prisma.JsonValue => items as Prisma.JsonValue

/** The items of a sale. Empty if the report did not say. */
export const soldItems = ({ items }: Pick<Sale, 'items'>): readonly SoldItem[] => (items ?? []) as SoldItem[]
