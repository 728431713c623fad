import type { Json } from '../../kernel/canonical-json.ts'
import { type LineKind, settlingKinds } from '../statements/line-kinds.ts'
import type { Line } from '../statements/lines.ts'

/** What was earned in a month by lines of one kind. The amount is text, in minor units. */
export type InvoiceLine = { kind: LineKind; count: number; amountCents: string }

/**
 * What a statement says that was earned, by kinds, in the order of the statement. Payments are no earnings, and neither
 * is value added tax that an invoice before had added.
 * @param vatCommissions the ids of the corrections that pay value added tax
 */
export function earnedOf(
  lines: readonly Line[],
  vatCommissions: ReadonlySet<string>,
): { lines: InvoiceLine[]; cents: bigint } {
  const found = new Map<LineKind, { count: number; cents: bigint }>()
  for (const line of lines) {
    const { kind } = line
    if (kind === 'nothing' || settlingKinds.includes(kind)) continue
    const { id } = line.commission as { [name: string]: Json }
    if (vatCommissions.has(id as string)) continue
    const sum = found.get(kind) ?? { count: 0, cents: 0n }
    found.set(kind, { count: sum.count + 1, cents: sum.cents + BigInt(line.amountCents) })
  }
  const sums = [...found].filter(([, { cents }]) => cents !== 0n)
  return {
    lines: sums.map(([kind, { count, cents }]) => ({ kind, count, amountCents: String(cents) })),
    cents: sums.reduce((sum, [, { cents }]) => sum + cents, 0n),
  }
}
