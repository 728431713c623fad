import { useState } from 'react'
import type { AffiliateRowFragment } from '../../../generated/dashboard/affiliates/graphql.ts'
import { action } from '../api/action.ts'
import { useAction } from '../api/use-data.ts'
import { DialogForm } from '../form/dialog-form.tsx'
import { showRejection, useFields } from '../form/use-fields.ts'
import { texts } from '../texts.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Menu, MenuItem } from '../ui/menu.tsx'
import { useToast } from '../ui/toast.tsx'
import { type Definition, OwnInputs, ownValuesOf } from './own-fields.tsx'

const words = texts.affiliates.bulk

type Props = {
  affiliates: readonly AffiliateRowFragment[]
  definitions: readonly Definition[]
  onDone(): void
}

/** Gives the affiliates that are selected the same value of an own field. */
export function SetFieldMenu({ affiliates, definitions, onDone }: Props) {
  const [field, setField] = useState<Definition>()
  return (
    <>
      <Menu label={words.setField}>
        <div className="menu-scroll">
          {definitions.map((definition) => (
            <MenuItem key={definition.name} onSelect={() => setField(definition)}>
              {definition.label}
            </MenuItem>
          ))}
        </div>
      </Menu>
      <Dialog
        title={words.setFieldTitle(field?.label ?? '')}
        lead={words.setFieldLead(affiliates.length)}
        isOpen={field !== undefined}
        onClose={() => setField(undefined)}
      >
        {field && <SetField affiliates={affiliates} field={field} onDone={onDone} />}
      </Dialog>
    </>
  )
}

type FieldProps = { affiliates: readonly AffiliateRowFragment[]; field: Definition; onDone(): void }

function SetField({ affiliates, field, onDone }: FieldProps) {
  const show = useToast()
  const [set] = useAction(action('setOwnFields'))
  const form = useFields(ownValuesOf([field]), () => ({}))
  const submit = form.handleSubmit(async (values) => {
    const value = Object.values(values)[0]?.trim() || null
    const affiliateIds = affiliates.map(({ id }) => id)
    const outcome = await set({ input: { affiliateIds, ownFields: [{ name: field.name, value }] } })
    if (!outcome.data) return showRejection(form, outcome)
    show(words.done(affiliates.length))
    onDone()
  })
  return (
    <DialogForm form={form} onSubmit={submit} action={words.action(affiliates.length)}>
      <OwnInputs form={form} definitions={[field]} />
    </DialogForm>
  )
}
