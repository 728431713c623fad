import type { ReactNode } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import type {
  CampaignRuleFragment,
  CampaignRulesQuery,
  CreateCommissionRuleInput,
} from '../../../../../generated/dashboard/campaigns/graphql.ts'
import type { PersonFragment } from '../../../../../generated/dashboard/picker/graphql.ts'
import { texts } from '../../../texts.ts'

type Stored = CampaignRuleFragment['conditions']
type Input = NonNullable<CreateCommissionRuleInput['conditions']>

/** What affiliates and groups are called, by id. */
export type Names = ReadonlyMap<string, string>

/** Affiliates, by id. */
export type Picks = ReadonlyMap<string, PersonFragment>

/** What a form of a rule knows. @param currency the program's */
export type Around = { groups: CampaignRulesQuery['affiliateGroups']['nodes']; currency: string }

/** A condition in the form and in the list of rules. */
export type RuleCondition<Values extends FieldValues> = {
  /** What the form begins with: no condition. */
  none: Values
  /** Whether rules for leads have it too. */
  isOfAffiliate?: boolean
  Fields(props: Around & { form: UseFormReturn<Values> }): ReactNode
  /** What is wrong with what was typed, by field. */
  problems?(values: Values, currency: string): Partial<Record<keyof Values, string | undefined>>
  input(values: Values, currency: string): Partial<Input>
  /** What the form begins with for a rule that is changed. */
  typed(stored: Stored, picks: Picks): Values
  /** How a person says it. Null: it is no condition of the rule. */
  said(stored: Stored, names: Names): string | null
}

// Methods take the values of any condition: the form has those of all.
export const defineCondition = <Values extends FieldValues>(condition: RuleCondition<Values>): RuleCondition<Values> =>
  condition

/** The values between commas. */
export const listOf = (typed: string): string[] => typed.split(',').flatMap((one) => one.trim() || [])

/** The options of a choice, by value. @param all the name of no choice */
export const optionsOf = (names: Readonly<Record<string, string>>, all?: string) => [
  ...(all === undefined ? [] : [{ value: '', name: all }]),
  ...Object.entries(names).map(([value, name]) => ({ value, name })),
]

const mostNames = 5

/** The first names, and how many more there are. An id without a name counts as one more. */
export function namesOf(ids: readonly string[], names: Names): string {
  const known = ids.flatMap((id) => names.get(id) ?? []).slice(0, mostNames)
  const more = ids.length - known.length
  return [...known, ...(more > 0 ? [texts.campaigns.rules.more(more)] : [])].join(', ')
}
