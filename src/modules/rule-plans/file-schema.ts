import type { z } from 'zod'
import { type Wire, wireOf } from '../../kernel/input/wire.ts'
import { commissionRuleConditionsInput } from '../rules/conditions/all.ts'
import { commissionRuleCapInput, createCommissionRuleInput } from '../rules/input.ts'
import { commissionRuleRewardInput } from '../rules/rewards/all.ts'
import { commissionRuleStepInput, commissionRuleTiersInput } from '../rules/rewards/tiers.ts'

type Schema = { [keyword: string]: unknown }

const inputs: Readonly<Record<string, z.ZodObject>> = {
  CommissionRuleConditionsInput: commissionRuleConditionsInput,
  CommissionRuleRewardInput: commissionRuleRewardInput,
  CommissionRuleCapInput: commissionRuleCapInput,
  CommissionRuleTiersInput: commissionRuleTiersInput,
  CommissionRuleStepInput: commissionRuleStepInput,
}

// The campaign is named once, above its rules.
const ruleInput = createCommissionRuleInput.omit({ campaignId: true })

const objectSchema = (input: z.ZodObject): Schema => {
  const wires = Object.entries(input.shape as Record<string, z.ZodType>).map(
    ([name, type]) => [name, wireOf(type)] as const,
  )
  return {
    type: 'object',
    properties: Object.fromEntries(wires.map(([name, wire]) => [name, fieldSchema(wire)])),
    required: wires.filter(([, { required }]) => required).map(([name]) => name),
    additionalProperties: false,
  }
}

function fieldSchema({
  inputName,
  items,
  enum: values,
  scalar: _,
  enumName,
  required,
  nullable,
  ...wire
}: Wire): Schema {
  const { description, example, type, default: value, ...keywords } = wire
  const texts = { ...(description && { description }), ...(example !== undefined && { examples: [example] }) }
  const input = inputName === undefined ? undefined : inputs[inputName]
  if (input) return { ...objectSchema(input), ...texts }
  if (values) return { type, ...texts, enum: enumName ? values.map((word) => word.toUpperCase()) : values }
  if (items) return { type, ...texts, items: fieldSchema(items) }
  return { type, ...texts, ...keywords, ...(value !== undefined && { default: value }) }
}

/** The JSON Schema of a file of rules, for editors. */
export const rulesSchema = (): Schema => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Commission rules of a Tributary program',
  type: 'object',
  properties: {
    program: { type: 'string', description: 'The slug or the id of the program.' },
    campaigns: {
      type: 'array',
      description: 'The campaigns that have rules. The rules of campaigns that are missing here end.',
      items: {
        type: 'object',
        properties: {
          campaign: { type: 'string', description: 'The id of the campaign, or its name.' },
          rules: { type: 'array', description: 'All of its rules.', items: objectSchema(ruleInput) },
        },
        required: ['campaign', 'rules'],
        additionalProperties: false,
      },
    },
  },
  required: ['campaigns'],
  additionalProperties: false,
})
