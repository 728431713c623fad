import type { ReactNode } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import type {
  CampaignRuleFragment,
  CreateCommissionRuleInput,
} from '../../../../../generated/dashboard/campaigns/graphql.ts'

/** Of the campaign's fixed amounts, and of the program. */
export type Currencies = { reward: string; sale: string }

/** A kind of reward in the form and in the list of rules. */
export type RuleReward<Values extends FieldValues> = {
  empty: Values
  Fields(props: { form: UseFormReturn<Values>; currencies: Currencies }): ReactNode
  /** What is wrong with what was typed, by field. */
  problems?(values: Values, currencies: Currencies): Partial<Record<keyof Values, string | undefined>>
  input(values: Values, currencies: Currencies): CreateCommissionRuleInput['reward']
  /** Whether sales can earn more than they bring. */
  isAboveAll?(values: Values): boolean
  /** What the form begins with for a rule that is changed. Null: the rule has another kind. */
  typed(reward: CampaignRuleFragment['reward'], currencies: Currencies): Values | null
  /** How a person says it. Null: the rule has another kind of reward. */
  said(reward: CampaignRuleFragment['reward']): string | null
}

// Methods take the values of any kind: the form has those of all.
export const defineReward = <Values extends FieldValues>(reward: RuleReward<Values>): RuleReward<Values> => reward
