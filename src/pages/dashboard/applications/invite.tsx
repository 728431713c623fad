import { useId, useState } from 'react'
import { InviteApplicantsDocument } from '../../../generated/dashboard/applications/graphql.ts'
import { useCampaigns } from '../affiliates/use-campaigns.ts'
import { useAction } from '../api/use-data.ts'
import { readFileText } from '../csv/read.ts'
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

/** The numbers of the lines without an address. The first line of a file can be its header. */
const linesWithout = (text: string): number[] =>
  text.split(/\r?\n/).flatMap((line, index) => {
    const isLeftOut = index > 0 && /[^\s,;"']/.test(line) && addressesIn(line).length === 0
    return isLeftOut ? index + 1 : []
  })

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
  const [added, setAdded] = useState<string>()
  async function add(file: File | undefined) {
    setAdded(undefined)
    if (!file) return
    const text = await readFileText(file)
    if (text === null) return setAdded(texts.notText)
    const addresses = addressesIn(text)
    form.setValue('emails', `${form.getValues('emails')}\n${addresses.join('\n')}`.trim())
    const left = linesWithout(text)
    setAdded([words.added(addresses.length), ...(left.length > 0 ? [words.leftOut(left)] : [])].join(' '))
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
        <p role="status" className="hint">
          {added}
        </p>
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
