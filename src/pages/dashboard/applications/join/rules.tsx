import type { Column } from '../../../parts/table.tsx'
import { DialogForm } from '../../form/dialog-form.tsx'
import { SelectField, TextField } from '../../form/fields.tsx'
import { showRejection, useFields } from '../../form/use-fields.ts'
import { texts } from '../../texts.ts'
import { Badge } from '../../ui/badge.tsx'
import { Entries, type FormProps } from './entries.tsx'
import {
  type AskedField,
  checkRule,
  conditionsOf,
  type JoinRule,
  newRule,
  ruleInputOf,
  ruleOf,
  ruleValuesOf,
} from './values.ts'

const words = texts.applications.join

type JoinRulesProps = { rules: readonly JoinRule[]; fields: readonly AskedField[] }

/** What decides clear applications, in the order in which it is tried. */
export function JoinRules({ rules, fields }: JoinRulesProps) {
  const columns: Column<JoinRule>[] = [
    { name: words.condition, cell: (rule) => conditionsOf(rule, fields) },
    {
      name: words.decision,
      isPlain: true,
      cell: ({ decision }) => <Badge tone={decision === 'APPROVE' ? 'good' : 'bad'}>{words.decisions[decision]}</Badge>,
    },
    { name: texts.applications.reason, cell: ({ reason }) => reason },
  ]
  return (
    <Entries
      words={words.rules}
      entries={rules}
      columns={columns}
      nameOf={(rule) => conditionsOf(rule, fields)}
      inputOf={(entries) => ({ rules: entries.map(ruleInputOf) })}
      form={(props) => <RuleForm {...props} fields={fields} />}
    />
  )
}

const flags = [
  { value: '', name: words.noMatter },
  { value: 'true', name: texts.money.yes },
  { value: 'false', name: texts.applications.no },
]

const optionsOf = (names: Readonly<Record<string, string>>) =>
  Object.entries(names).map(([value, name]) => ({ value, name }))

function RuleForm({ entry, onSave, onDone, fields }: FormProps<JoinRule> & Pick<JoinRulesProps, 'fields'>) {
  const form = useFields(entry ? ruleValuesOf(entry) : newRule, checkRule)
  const field = form.watch('field')
  const submit = form.handleSubmit(async (values) => {
    const outcome = await onSave(ruleOf(values))
    if (outcome.data) onDone()
    else showRejection(form, outcome)
  })
  return (
    <DialogForm form={form} onSubmit={submit} action={entry ? texts.save : words.rules.add}>
      <SelectField form={form} name="decision" label={words.decision} options={optionsOf(words.decisions)} />
      <TextField form={form} name="emailDomains" label={words.emailDomains} hint={words.emailDomainsHint} />
      <div className="field-pair">
        <SelectField form={form} name="isDisposable" label={words.disposable} options={flags} />
        <SelectField form={form} name="isInvited" label={words.invited} options={flags} />
        <SelectField form={form} name="isInvitedByAffiliate" label={words.invitedByAffiliate} options={flags} />
      </div>
      {fields.length > 0 && (
        <SelectField
          form={form}
          name="field"
          label={words.field}
          options={[
            { value: '', name: words.noField },
            ...fields.map(({ name, label }) => ({ value: name, name: label })),
          ]}
        />
      )}
      {field && <TextField form={form} name="values" label={words.values} hint={words.valuesHint} />}
      <TextField form={form} name="reason" label={texts.applications.reason} hint={words.reasonHint} />
    </DialogForm>
  )
}
