import { useState } from 'react'
import type { Path, UseFormReturn } from 'react-hook-form'
import {
  InviteMemberDocument,
  type MemberRole,
  type MemberRowFragment,
} from '../../../generated/dashboard/settings/graphql.ts'
import { inviteMemberInput, updateMemberInput } from '../../../modules/people/input.ts'
import { action } from '../api/action.ts'
import { useAction } from '../api/use-data.ts'
import { checkInput } from '../form/check-input.ts'
import { DialogForm } from '../form/dialog-form.tsx'
import { SelectField, TextField } from '../form/fields.tsx'
import { showRejection, useFields } from '../form/use-fields.ts'
import { texts } from '../texts.ts'
import { ShownOnce } from '../ui/secret.tsx'
import { useToast } from '../ui/toast.tsx'

const words = texts.settings.people

const roles: readonly MemberRole[] = ['OWNER', 'MANAGER', 'FINANCE', 'ANALYST']
const roleOptions = roles.map((value) => ({ value, name: words.roles[value].name }))

/** The role, and what it can do: below the field, because phones cut long options off. */
const RoleField = <Values extends { role: MemberRole }>({ form }: { form: UseFormReturn<Values> }) => {
  const name = 'role' as Path<Values>
  const role: MemberRole = form.watch(name)
  return <SelectField form={form} name={name} label={words.role} hint={words.roles[role].text} options={roleOptions} />
}

/** The form of an invitation, and then its link, which is shown this once. */
export function Invite({ onDone }: { onDone(): void }) {
  const [inviteMember] = useAction(InviteMemberDocument)
  const [invited, setInvited] = useState<{ url: string; email: string; isMailed: boolean | null }>()
  const form = useFields<{ email: string; role: MemberRole }>(
    { email: '', role: 'MANAGER' },
    checkInput(inviteMemberInput),
  )
  const submit = form.handleSubmit(async (input) => {
    const outcome = await inviteMember({ input })
    if (outcome.data) setInvited({ ...outcome.data.inviteMember, email: input.email })
    else showRejection(form, outcome)
  })
  if (invited) {
    return (
      <ShownOnce
        said={words.invited(invited.email, invited.isMailed)}
        text={invited.url}
        name={words.link}
        warning={words.onlyNow}
        onDone={onDone}
      />
    )
  }
  return (
    <DialogForm form={form} onSubmit={submit} action={words.createLink}>
      <TextField form={form} name="email" label={texts.fields.email} type="email" />
      <RoleField form={form} />
    </DialogForm>
  )
}

export function ChangeRole({ member, onDone }: { member: MemberRowFragment; onDone(): void }) {
  const [updateMember] = useAction(action('updateMember'))
  const show = useToast()
  const form = useFields<{ personId: string; role: MemberRole }>(
    { personId: member.person.id, role: member.role },
    checkInput(updateMemberInput),
  )
  const submit = form.handleSubmit(async (input) => {
    const outcome = await updateMember({ input })
    if (!outcome.data) return showRejection(form, outcome)
    show(texts.saved)
    onDone()
  })
  return (
    <DialogForm form={form} onSubmit={submit} action={texts.save}>
      <RoleField form={form} />
    </DialogForm>
  )
}
