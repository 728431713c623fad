import { defineEnum } from '../../graphql/enums.ts'
import type { RuleChange } from './proposal.ts'

export const RulePlanChangeKindEnum = defineEnum('RulePlanChangeKind', 'What a plan does to a commission rule.', {
  created: 'It adds the rule.',
  changed: 'It changes the rule.',
  ended: 'It ends the rule, which is missing in the plan.',
} satisfies Record<RuleChange['kind'], string>)
