import type { z } from 'zod'
import type { Campaign } from '../../generated/prisma/client.ts'
import type { Problem } from '../../kernel/errors.ts'
import { placedAt, repeated } from '../../kernel/input/entries.ts'
import { label, readFields } from '../../kernel/input/parse.ts'
import { minimumPayoutInput } from './input.ts'

/** What decides about the smallest payout of a campaign. */
export type Minimums = Pick<Campaign, 'minimumPayoutCents' | 'minimumPayouts'>

/** The minimums of currencies that have their own, as they are stored: amounts in minor units, as text. */
export type StoredMinimums = Readonly<Record<string, string>>

export const ownMinimumsOf = ({ minimumPayouts }: Pick<Campaign, 'minimumPayouts'>): StoredMinimums =>
  minimumPayouts as StoredMinimums

/** The smallest payout in a currency, in its minor units. The SQL function `minimum_payout` is the same rule. */
export function minimumPayoutIn(campaign: Minimums, currency: string): bigint {
  const own = ownMinimumsOf(campaign)
  return Object.hasOwn(own, currency) ? BigInt(own[currency] as string) : campaign.minimumPayoutCents
}

type Minimum = z.output<typeof minimumPayoutInput>

/** Reads the minimums of a request, by currency in alphabetical order, with every problem. */
export function readMinimums(raws: readonly unknown[]): { value: StoredMinimums; problems: Problem[] } {
  const read = raws.map((raw) => readFields(minimumPayoutInput, raw))
  const isRepeated = repeated(read.map(({ readable }) => readable.currency))
  const problems = read.flatMap(({ readable, problems: own }, index): Problem[] => {
    const all = isRepeated[index] ? [...own, repeatedCurrency(readable)] : own
    return all.map((one) => placedAt(['minimumPayouts', index], one))
  })
  const minimums = read.map(({ readable }) => readable as Minimum)
  const entries = minimums.map(({ currency, amountCents }) => [currency, String(amountCents)]).sort()
  return { value: Object.fromEntries(entries), problems }
}

const repeatedCurrency = ({ currency = '' }: Partial<Minimum>): Problem => ({
  field: 'currency',
  message: `${label('currency')} ${currency} has two minimums.`,
})
