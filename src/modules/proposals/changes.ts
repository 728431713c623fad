import type { Prisma } from '../../generated/prisma/client.ts'
import type { MoneyEventKind } from '../../generated/prisma/enums.ts'
import type { ProgramCtx } from '../../kernel/context.ts'

export type Money = { amountCents: bigint; currency: string }

/** A commission that a verb has changed, by the facts that the verb recorded. */
type Changed = { currency: string; kinds: MoneyEventKind[]; deltaCents: bigint; afterCents: bigint }

export type Changes = readonly Changed[]

/** What a transaction has done to commissions since an id. Facts that others record have other request ids. */
export function readChanges(
  tx: Prisma.TransactionClient,
  { program, requestId }: ProgramCtx,
  since: string,
): Promise<Changed[]> {
  return tx.$queryRaw<Changed[]>`
    select c.currency, array_agg(e.kind::text) as kinds, sum(e.delta_cents)::bigint as "deltaCents",
      c.amount_cents as "afterCents"
    from money_events e join commissions c on c.program_id = e.program_id and c.id = e.commission_id
    where e.program_id = ${program.id}::uuid and e.id > ${since}::uuid and e.request_id = ${requestId}
    group by c.program_id, c.id order by c.id`
}

/** How much more is owed to affiliates, by currency; negative: less. */
export const owedMore = (changes: Changes): Money[] => sumsOf(changes.map((one) => [one.currency, owedBy(one)]))

/** The sums of commissions that were approved. */
export const approvedOf = (changes: Changes): Money[] =>
  sumsOf(
    changes.filter(({ kinds }) => kinds.includes('approved')).map(({ currency, afterCents }) => [currency, afterCents]),
  )

function owedBy({ kinds, deltaCents, afterCents }: Changed): bigint {
  if (kinds.includes('voided')) return deltaCents - afterCents
  if (kinds.includes('unvoided')) return afterCents
  return deltaCents
}

/** Currencies whose sum is zero are left out. */
export function sumsOf(amounts: readonly (readonly [string, bigint])[]): Money[] {
  const sums = new Map<string, bigint>()
  for (const [currency, cents] of amounts) sums.set(currency, (sums.get(currency) ?? 0n) + cents)
  return [...sums]
    .flatMap(([currency, amountCents]) => (amountCents === 0n ? [] : [{ currency, amountCents }]))
    .sort((a, b) => (a.currency < b.currency ? -1 : 1))
}
