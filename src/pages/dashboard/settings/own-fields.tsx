import { useState } from 'react'
import { OwnFieldDefinitionsDocument } from '../../../generated/dashboard/affiliates/graphql.ts'
import { createAffiliateFieldInput, updateAffiliateFieldInput } from '../../../modules/affiliates/own-fields/input.ts'
import { FailureNotice } from '../../parts/failure-notice.tsx'
import { formatCount } from '../../parts/format.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import type { Definition } from '../affiliates/own-fields.tsx'
import { action } from '../api/action.ts'
import { useAction, useData } from '../api/use-data.ts'
import { linesOf, nameFrom } from '../applications/join/values.ts'
import { checkInput } from '../form/check-input.ts'
import { DialogForm } from '../form/dialog-form.tsx'
import { AreaField, SelectField, TextField } from '../form/fields.tsx'
import { showRejection, useFields } from '../form/use-fields.ts'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { Card } from '../ui/card.tsx'
import { Confirm, Dialog } from '../ui/dialog.tsx'
import { Scrolls } from '../ui/scrolls.tsx'
import { useToast } from '../ui/toast.tsx'

const words = texts.settings.ownFields

type Open = { what: 'create' | 'edit' | 'delete'; field?: Definition }

/** What the program stores of affiliates beside the fields that every affiliate has. */
export function OwnFields() {
  const { canChange } = useProgram()
  const { data, failure, retry } = useData(OwnFieldDefinitionsDocument, {})
  const [open, setOpen] = useState<Open>()
  const [deleteField] = useAction(action('deleteAffiliateField'))
  const show = useToast()
  const close = () => setOpen(undefined)
  const fields = data?.affiliateFields ?? []
  const name = open?.field?.name ?? ''
  return (
    <Card
      title={words.title}
      lead={words.lead}
      actions={
        canChange && (
          <button type="button" onClick={() => setOpen({ what: 'create' })}>
            {words.add}
          </button>
        )
      }
    >
      {failure && <FailureNotice message={failure} onRetry={retry} />}
      {data && fields.length === 0 && <p className="quiet">{words.none}</p>}
      {fields.length > 0 && (
        <Scrolls name={words.title}>
          <Table
            caption={formatCount(fields.length, words.noun)}
            columns={canChange ? [...columns, actionsOf(setOpen)] : columns}
            rows={fields}
            keyOf={(field) => field.name}
          />
        </Scrolls>
      )}
      <Dialog title={words.add} isOpen={open?.what === 'create'} onClose={close}>
        <CreateField onDone={close} />
      </Dialog>
      <Dialog title={words.edit} isOpen={open?.what === 'edit'} onClose={close}>
        {open?.field && <EditField field={open.field} onDone={close} />}
      </Dialog>
      <Confirm
        title={words.deleteTitle(open?.field?.label ?? '')}
        text={<p>{words.deleteText}</p>}
        action={words.delete}
        isDanger
        isOpen={open?.what === 'delete'}
        onClose={close}
        onConfirm={async () => {
          const { failure: refused } = await deleteField({ input: { name } })
          if (refused === undefined) show(words.deleted(open?.field?.label ?? ''))
          return refused
        }}
      />
    </Card>
  )
}

const columns: Column<Definition>[] = [
  { name: words.label, cell: ({ label }) => label },
  { name: words.name, cell: ({ name }) => <code>{name}</code> },
  {
    name: words.type,
    cell: ({ type, choices }) =>
      type === 'CHOICE' ? `${words.types.CHOICE}: ${choices.join(', ')}` : words.types[type],
  },
]

const actionsOf = (open: (next: Open) => void): Column<Definition> => ({
  name: texts.actions,
  isPlain: true,
  className: 'row-actions',
  cell: (field) => (
    <>
      <button type="button" onClick={() => open({ what: 'edit', field })}>
        {texts.edit}
        <span className="unseen"> {field.label}</span>
      </button>
      <button type="button" className="danger-text" onClick={() => open({ what: 'delete', field })}>
        {words.delete}
        <span className="unseen"> {field.label}</span>
      </button>
    </>
  ),
})

const typeOptions = Object.entries(words.types).map(([value, name]) => ({ value, name }))

type Typed = { label: string; name: string; type: Definition['type']; choices: string }

/** The input of the service, in which only a choice has choices. */
const inputOf = ({ label, name, type, choices }: Typed) => ({
  label,
  name: name.trim() || nameFrom(label),
  type,
  ...(type === 'CHOICE' && { choices: linesOf(choices) }),
})

const checkNew = checkInput<Record<string, unknown>>(createAffiliateFieldInput)

function CreateField({ onDone }: { onDone(): void }) {
  const show = useToast()
  const [create] = useAction(action('createAffiliateField'))
  const form = useFields<Typed>({ label: '', name: '', type: 'TEXT', choices: '' }, (values) => {
    const input = inputOf(values)
    const needsChoices = input.type === 'CHOICE' && input.choices?.length === 0
    const problems = checkNew({ ...input, type: input.type.toLowerCase() })
    return { ...problems, ...(needsChoices && { choices: words.needsChoices }) }
  })
  const submit = form.handleSubmit(async (values) => {
    const outcome = await create({ input: inputOf(values) })
    if (!outcome.data) return showRejection(form, outcome)
    show(texts.saved)
    onDone()
  })
  return (
    <DialogForm form={form} onSubmit={submit} action={words.add}>
      <TextField form={form} name="label" label={words.label} hint={words.labelHint} />
      <TextField form={form} name="name" label={words.name} hint={words.nameHint} />
      <SelectField form={form} name="type" label={words.type} options={typeOptions} />
      {form.watch('type') === 'CHOICE' && (
        <AreaField form={form} name="choices" label={words.choices} hint={words.choicesHint} rows={4} />
      )}
    </DialogForm>
  )
}

function EditField({ field, onDone }: { field: Definition; onDone(): void }) {
  const show = useToast()
  const [update] = useAction(action('updateAffiliateField'))
  const { name, type } = field
  const changed = ({ label, choices }: { label: string; choices: string }) => ({
    name,
    label,
    ...(type === 'CHOICE' && { choices: linesOf(choices) }),
  })
  const check = checkInput<Record<string, unknown>>(updateAffiliateFieldInput)
  const form = useFields({ label: field.label, choices: field.choices.join('\n') }, (values) => check(changed(values)))
  const submit = form.handleSubmit(async (values) => {
    const outcome = await update({ input: changed(values) })
    if (!outcome.data) return showRejection(form, outcome)
    show(texts.saved)
    onDone()
  })
  return (
    <DialogForm form={form} onSubmit={submit} action={texts.save}>
      <TextField form={form} name="label" label={words.label} />
      {type === 'CHOICE' && (
        <AreaField form={form} name="choices" label={words.choices} hint={words.choicesEditHint} rows={6} />
      )}
    </DialogForm>
  )
}
