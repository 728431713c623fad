import type { z } from 'zod'
import type { Problem } from '../../../kernel/errors.ts'
import type { Conditions as SaidConditions } from '../../../texts/en/reward.ts'
import type { SoldPart } from '../sale.ts'

/** The most values that a condition lists. */
export const maxListed = 1_000

/** Whose reward it is. An affiliate who is only about to join is in no group, and has no customers yet. */
export type Earner = {
  affiliateId: string | null
  groupIds: readonly string[]
  /** By their keys, the codes as they are shown. A rule for other codes alone is not for the earner. */
  codes: ReadonlyMap<string, string>
}

/** Finds what a condition names in the program. */
export type Lookups = {
  affiliates(ids: readonly string[]): Promise<{ has(id: string): boolean }>
  groups(ids: readonly string[]): Promise<{ has(id: string): boolean }>
  /** Whether each code exists. */
  coupons(codes: readonly string[]): Promise<readonly boolean[]>
}

type Fields = Readonly<Record<string, z.ZodType>>
type Given<F extends Fields> = { [K in keyof F]?: NonNullable<z.output<F[K]>> }

/** A condition of a rule. Its file has all that the service knows about it. `all.ts` has the list. */
export type Condition<F extends Fields, Stored extends object, Miss extends string> = {
  /** What the outcome is called if it does not hold, and its meaning. */
  miss: Readonly<Record<Miss, string>>
  /** Its fields in inputs. The output has the same, and their descriptions. */
  input: F
  /** Whether it is about the affiliate, and not about the sale. Rewards for leads have only such conditions. */
  isOfAffiliate?: boolean
  /** Reads the stored form, in which lists are sorted and have each value once. An absent field is no condition. */
  stored(given: Given<F>, program: { currency: string }): Stored
  problems?(given: Given<F>, find: Lookups): Problem[] | Promise<Problem[]>
  /** Whether it holds for a part of a sale. */
  holds(stored: Stored, sale: SoldPart): boolean
  /** Whether a sale of the earner can meet it. Absent: any earner's can. */
  isFor?(stored: Stored, earner: Earner): boolean
  /** What the sentence of a reward says of it. */
  said?(stored: Stored, earner: Earner): Partial<SaidConditions>
}

/** A condition in the list of all. */
export type AnyCondition<Miss extends string = string> = Condition<Fields, object, Miss>

// Methods take their arguments of any condition: the list calls each with what its own fields read.
export const defineCondition = <F extends Fields, Stored extends object, const Miss extends string>(
  condition: Condition<F, Stored, Miss>,
): AnyCondition<Miss> => condition

/** The values, each once and sorted. */
export const sorted = <T extends string>(values: readonly T[]): T[] => [...new Set(values)].sort()

/** The problems of ids that name nothing. */
export const unknownIds = (field: string, noun: string, ids: readonly string[], known: { has(id: string): boolean }) =>
  ids.flatMap((id, index): Problem[] =>
    known.has(id) ? [] : [{ field, path: [field, index], message: `${noun} not found: ${id.slice(0, 100)}` }],
  )
