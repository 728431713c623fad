import type { JoinSettingsFragment } from '../../../../generated/dashboard/applications/join/graphql.ts'
import { joinFieldInput, joinRuleInput } from '../../../../modules/applications/input.ts'
import { checkInput } from '../../form/check-input.ts'
import type { Check } from '../../form/use-fields.ts'
import { texts } from '../../texts.ts'

const words = texts.applications.join

export type AskedField = JoinSettingsFragment['fields'][number]
export type JoinRule = JoinSettingsFragment['rules'][number]

/** The values of a text with one in each line, or separated by commas. */
export const linesOf = (text: string, separator: RegExp = /\n/): string[] =>
  text
    .split(separator)
    .map((line) => line.trim())
    .filter((line) => line !== '')

const commas = /[\n,;]/

/** What a field is called in requests: "Your audience" becomes `your_audience`. */
export const nameFrom = (label: string): string =>
  label
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+|_+$/g, '')
    .slice(0, 50)

export type FieldValues = {
  label: string
  name: string
  type: AskedField['type']
  isRequired: boolean
  choices: string
}

export const newField: FieldValues = { label: '', name: '', type: 'TEXT', isRequired: false, choices: '' }

export const fieldValuesOf = ({ choices, ...field }: AskedField): FieldValues => ({
  ...field,
  choices: choices.join('\n'),
})

export const fieldOf = ({ name, label, type, isRequired, choices }: FieldValues): AskedField => ({
  label,
  type,
  isRequired,
  name: name.trim() || nameFrom(label),
  choices: type === 'CHOICE' ? linesOf(choices) : [],
})

/** The input of the service, in which only a choice has choices. */
export const fieldInputOf = (field: AskedField) => ({
  ...field,
  choices: field.type === 'CHOICE' ? field.choices : null,
})

const checkFieldSchema = checkInput<Record<string, unknown>>(joinFieldInput)

/** @param others the names of the other fields */
export const checkField =
  (others: readonly string[]): Check<FieldValues> =>
  (values) => {
    const field = fieldOf(values)
    return {
      ...checkFieldSchema({ ...fieldInputOf(field), type: field.type.toLowerCase() }),
      ...(others.includes(field.name) && { name: words.nameTaken }),
      ...(field.type === 'CHOICE' && field.choices.length === 0 && { choices: words.needsChoices }),
    }
  }

/** Whether something holds; empty for both. */
type Flag = '' | 'true' | 'false'

const typedFlag = (flag: boolean | null): Flag => (flag === null ? '' : flag ? 'true' : 'false')
const flagOf = (typed: Flag): boolean | null => (typed === '' ? null : typed === 'true')

export type RuleValues = {
  decision: JoinRule['decision']
  reason: string
  emailDomains: string
  isDisposable: Flag
  isInvited: Flag
  isInvitedByAffiliate: Flag
  field: string
  values: string
}

export const newRule: RuleValues = {
  decision: 'APPROVE',
  reason: '',
  emailDomains: '',
  isDisposable: '',
  isInvited: '',
  isInvitedByAffiliate: '',
  field: '',
  values: '',
}

export const ruleValuesOf = (rule: JoinRule): RuleValues => ({
  decision: rule.decision,
  reason: rule.reason,
  emailDomains: (rule.emailDomains ?? []).join(', '),
  isDisposable: typedFlag(rule.isDisposable),
  isInvited: typedFlag(rule.isInvited),
  isInvitedByAffiliate: typedFlag(rule.isInvitedByAffiliate),
  field: rule.field ?? '',
  values: rule.values.join(', '),
})

export function ruleOf(typed: RuleValues): JoinRule {
  const { decision, reason, emailDomains, isDisposable, isInvited, isInvitedByAffiliate, field, values } = typed
  const domains = linesOf(emailDomains, commas).map((domain) => domain.replace(/^@/, '').toLowerCase())
  return {
    decision,
    reason,
    emailDomains: domains.length > 0 ? domains : null,
    isDisposable: flagOf(isDisposable),
    isInvited: flagOf(isInvited),
    isInvitedByAffiliate: flagOf(isInvitedByAffiliate),
    field: field || null,
    values: field ? linesOf(values, commas) : [],
  }
}

/** The input of the service, in which only a condition on a field has values. */
export const ruleInputOf = (rule: JoinRule) => ({ ...rule, values: rule.field === null ? null : rule.values })

const checkRuleSchema = checkInput<Record<string, unknown>>(joinRuleInput)

export const checkRule: Check<RuleValues> = (values) => {
  const rule = ruleOf(values)
  return {
    ...checkRuleSchema({ ...ruleInputOf(rule), decision: rule.decision.toLowerCase() }),
    ...(rule.field !== null && rule.values.length === 0 && { values: words.needsValues }),
  }
}

/** The conditions of a rule in words. All of them have to hold. */
export function conditionsOf(rule: JoinRule, fields: readonly AskedField[]): string {
  const { emailDomains, isDisposable, isInvited, isInvitedByAffiliate, field, values } = rule
  const label = fields.find(({ name }) => name === field)?.label ?? field
  const conditions = [
    ...(emailDomains ? [words.isOfDomains(emailDomains)] : []),
    ...(isDisposable === null ? [] : [isDisposable ? words.isDisposable : words.isNotDisposable]),
    ...(isInvited === null ? [] : [isInvited ? words.isInvited : words.isNotInvited]),
    ...(isInvitedByAffiliate === null
      ? []
      : [isInvitedByAffiliate ? words.isInvitedByAffiliate : words.isNotInvitedByAffiliate]),
    ...(label === null ? [] : [words.hasValue(label, values)]),
  ]
  return conditions.length === 0 ? words.always : conditions.join(', ')
}
