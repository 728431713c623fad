import type { Column } from '../../../parts/table.tsx'
import { DialogForm } from '../../form/dialog-form.tsx'
import { AreaField, SelectField, TextField } from '../../form/fields.tsx'
import { showRejection, useFields } from '../../form/use-fields.ts'
import { texts } from '../../texts.ts'
import { Entries, type FormProps } from './entries.tsx'
import { type AskedField, checkField, fieldInputOf, fieldOf, fieldValuesOf, newField } from './values.ts'

const words = texts.applications.join

const columns: Column<AskedField>[] = [
  { name: words.label, cell: ({ label }) => label },
  { name: words.name, cell: ({ name }) => <code>{name}</code> },
  {
    name: words.type,
    cell: ({ type, choices }) =>
      type === 'CHOICE' ? `${words.types.CHOICE}: ${choices.join(', ')}` : words.types[type],
  },
  { name: words.required, cell: ({ isRequired }) => (isRequired ? texts.money.yes : texts.applications.no) },
]

/** What the page asks beside the e-mail and the name. */
export const AskedFields = ({ fields }: { fields: readonly AskedField[] }) => (
  <Entries
    words={words.fields}
    entries={fields}
    columns={columns}
    nameOf={({ label }) => label}
    inputOf={(entries) => ({ fields: entries.map(fieldInputOf) })}
    form={(props) => (
      <FieldForm {...props} others={fields.filter((field) => field !== props.entry).map(({ name }) => name)} />
    )}
  />
)

const typeOptions = Object.entries(words.types).map(([value, name]) => ({ value, name }))

function FieldForm({ entry, onSave, onDone, others }: FormProps<AskedField> & { others: readonly string[] }) {
  const form = useFields(entry ? fieldValuesOf(entry) : newField, checkField(others))
  const type = form.watch('type')
  const submit = form.handleSubmit(async (values) => {
    const outcome = await onSave(fieldOf(values))
    if (outcome.data) onDone()
    else showRejection(form, outcome)
  })
  return (
    <DialogForm form={form} onSubmit={submit} action={entry ? texts.save : words.fields.add}>
      <TextField form={form} name="label" label={words.label} hint={words.labelHint} />
      <TextField form={form} name="name" label={words.name} hint={words.nameHint} />
      <SelectField form={form} name="type" label={words.type} options={typeOptions} />
      {type === 'CHOICE' && (
        <AreaField form={form} name="choices" label={words.choices} hint={words.choicesHint} rows={4} />
      )}
      <label className="check">
        <input type="checkbox" {...form.register('isRequired')} /> {words.requiredText}
      </label>
    </DialogForm>
  )
}
