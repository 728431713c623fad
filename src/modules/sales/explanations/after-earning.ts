import type { Commission, MoneyEvent } from '../../../generated/prisma/client.ts'
import type { WhyLine } from '../../../texts/en/why.ts'

type Facts = Pick<MoneyEvent, 'kind' | 'deltaCents' | 'at' | 'reason'>[]
type Explained = { commissions: { id: string; events: Facts }[] }

const factsOf = ({ commissions }: Explained, commission: Commission | null, kind: MoneyEvent['kind']): Facts =>
  (commissions.find(({ id }) => id === commission?.id)?.events ?? []).filter((fact) => fact.kind === kind)

/** The payments that did not arrive, or were undone. */
export const unpaidLines = (sale: Explained, commission: Commission | null): WhyLine[] =>
  whyUnpaid(factsOf(sale, commission, 'unpaid'))

/** What changed the commission after it was earned, and when. */
export const recalculatedLines = (sale: Explained, commission: Commission | null): WhyLine[] =>
  factsOf(sale, commission, 'recalculated').map(({ at, deltaCents, reason }) => {
    const isLower = deltaCents < 0n
    const by = { cents: isLower ? -deltaCents : deltaCents, currency: commission?.currency ?? '' }
    return { code: 'recalculated', isLower, by, at, reason }
  })

/** The reason begins with the payment that it is about. */
export const whyUnpaid = (facts: readonly Pick<MoneyEvent, 'at' | 'reason'>[]): WhyLine[] =>
  facts.map(({ at, reason }) => ({ code: 'unpaid', at, reason }))
