import type { Commission, MoneyEvent } from '../../../generated/prisma/client.ts'
import { readableAmount } from '../../../kernel/money/decimals.ts'
import { day } from './day.ts'

type Facts = Pick<MoneyEvent, 'kind' | 'deltaCents' | 'at' | 'reason'>[]
type Explained = { commissions: { id: string; events: Facts }[] }

/** The reason begins with the payment that it is about. */
export function unpaidSentences({ commissions }: Explained, commission: Commission | null): string[] {
  const facts = commissions.find(({ id }) => id === commission?.id)?.events ?? []
  return sentencesOfUnpaid(facts.filter(({ kind }) => kind === 'unpaid'))
}

/** What changed the commission after it was earned, and when. */
export function recalculatedSentences({ commissions }: Explained, commission: Commission | null): string[] {
  const facts = commissions.find(({ id }) => id === commission?.id)?.events ?? []
  return facts
    .filter(({ kind }) => kind === 'recalculated')
    .map(({ at, deltaCents, reason }) => {
      const by = readableAmount(deltaCents < 0n ? -deltaCents : deltaCents, commission?.currency ?? '')
      return `${deltaCents < 0n ? 'Lowered' : 'Raised'} by ${by} on ${day(at)}, because ${reason}.`
    })
}

export const sentencesOfUnpaid = (facts: readonly Pick<MoneyEvent, 'at' | 'reason'>[]): string[] =>
  facts.map(({ at, reason }) => `Unpaid again since ${day(at)}: ${reason}.`)
