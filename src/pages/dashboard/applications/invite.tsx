import { useId } from 'react'
import { InviteApplicantsDocument } from '../../../generated/dashboard/applications/graphql.ts'
import { useCampaigns } from '../affiliates/use-campaigns.ts'
import { useAction } from '../api/use-data.ts'
import { DialogForm } from '../form/dialog-form.tsx'
import { AreaField, SelectField } from '../form/fields.tsx'
import { showRejection, useFields } from '../form/use-fields.ts'
import { texts } from '../texts.ts'
import { useToast } from '../ui/toast.tsx'

const words = texts.applications.invite

/** The most that the service takes at once. */
const batch = 100

/** The addresses in a text, such as a list, a CSV file or the field of a mail program. */
const addressesIn = (text: string): string[] => [...new Set(text.match(/[^\s,;<>"']+@[^\s,;<>"']+/g))]

/** Invites people by mail. */
export function Invite({ onDone }: { onDone(): void }) {
  const id = useId()
  const [invite] = useAction(InviteApplicantsDocument)
  const { active, defaultId } = useCampaigns()
  const show = useToast()
  const form = useFields({ emails: '', campaignId: '' }, ({ emails }) =>
    addressesIn(emails).length === 0 ? { emails: words.needsEmails } : {},
  )
  const count = addressesIn(form.watch('emails')).length
  async function add(file: File | undefined) {
    if (file)
      form.setValue('emails', `${form.getValues('emails')}\n${addressesIn(await file.text()).join('\n')}`.trim())
  }
  const submit = form.handleSubmit(async ({ emails, campaignId }) => {
    const all = addressesIn(emails)
    let invited = 0
    for (let from = 0; from < all.length; from += batch) {
      const input = { emails: all.slice(from, from + batch), campaignId: campaignId || null }
      const outcome = await invite({ input })
      if (!outcome.data) return showRejection(form, outcome)
      invited += outcome.data.inviteApplicants.mails.length
    }
    show(words.done(invited, all.length - invited))
    onDone()
  })
  return (
    <DialogForm form={form} onSubmit={submit} action={words.action(count)}>
      <AreaField form={form} name="emails" label={words.emails} hint={words.emailsHint} rows={6} />
      <div className="field">
        <label htmlFor={id}>{words.file}</label>
        <input id={id} type="file" accept=".csv,.txt,text/*" onChange={({ target }) => void add(target.files?.[0])} />
      </div>
      <SelectField
        form={form}
        name="campaignId"
        label={texts.money.campaign}
        options={active.map(({ value, name }) => ({ value: value === defaultId ? '' : value, name }))}
      />
    </DialogForm>
  )
}
