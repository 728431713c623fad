import { useState } from 'react'
import {
  type AffiliateRowFragment,
  GroupChoicesDocument,
  type GroupFragment,
} from '../../../generated/dashboard/affiliates/graphql.ts'
import { createAffiliateGroupInput } from '../../../modules/affiliates/groups/input.ts'
import { action } from '../api/action.ts'
import { useAction, useData } from '../api/use-data.ts'
import { checkInput } from '../form/check-input.ts'
import { DialogForm } from '../form/dialog-form.tsx'
import { TextField } from '../form/fields.tsx'
import { showRejection, useFields } from '../form/use-fields.ts'
import { texts } from '../texts.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Menu, MenuItem, MenuLine } from '../ui/menu.tsx'
import { useToast } from '../ui/toast.tsx'

const words = texts.affiliates.groups

/** The groups of the program, by name: the first hundred. */
export const useGroups = (): readonly GroupFragment[] =>
  useData(GroupChoicesDocument, {}).data?.affiliateGroups.nodes ?? []

type Props = { affiliates: readonly AffiliateRowFragment[]; onDone(): void }

/** Adds the affiliates that are selected to a group, or takes them out of it. Both can be undone by the other. */
export function GroupMenus({ affiliates, onDone }: Props) {
  const groups = useGroups()
  const [isCreating, setCreating] = useState(false)
  const show = useToast()
  const [add] = useAction(action('addAffiliatesToGroup'))
  const [remove] = useAction(action('removeAffiliatesFromGroup'))
  const affiliateIds = affiliates.map(({ id }) => id)
  const change = async (action: typeof add | typeof remove, { id }: GroupFragment, done: string) => {
    const { failure } = await action({ input: { id, affiliateIds } })
    show(failure ?? done)
    if (failure === undefined) onDone()
  }
  return (
    <>
      <Menu label={words.add}>
        <div className="menu-scroll">
          {groups.map((group) => (
            <MenuItem key={group.id} onSelect={() => change(add, group, words.added(affiliates.length, group.name))}>
              {group.name}
            </MenuItem>
          ))}
          {groups.length > 0 && <MenuLine />}
          <MenuItem onSelect={() => setCreating(true)}>{words.create}</MenuItem>
        </div>
      </Menu>
      {groups.length > 0 && (
        <Menu label={words.remove}>
          <div className="menu-scroll">
            {groups.map((group) => (
              <MenuItem
                key={group.id}
                onSelect={() => change(remove, group, words.removed(affiliates.length, group.name))}
              >
                {group.name}
              </MenuItem>
            ))}
          </div>
        </Menu>
      )}
      <Dialog title={words.createTitle} lead={words.lead} isOpen={isCreating} onClose={() => setCreating(false)}>
        <CreateGroup affiliateIds={affiliateIds} onDone={onDone} />
      </Dialog>
    </>
  )
}

function CreateGroup({ affiliateIds, onDone }: { affiliateIds: string[]; onDone(): void }) {
  const show = useToast()
  const [create] = useAction(action('createAffiliateGroup'))
  const form = useFields({ name: '', affiliateIds }, checkInput(createAffiliateGroupInput))
  const submit = form.handleSubmit(async (values) => {
    const outcome = await create({ input: values })
    if (!outcome.data) return showRejection(form, outcome)
    show(words.added(affiliateIds.length, values.name.trim()))
    onDone()
  })
  return (
    <DialogForm form={form} onSubmit={submit} action={words.action}>
      <TextField form={form} name="name" label={texts.fields.name} />
    </DialogForm>
  )
}
