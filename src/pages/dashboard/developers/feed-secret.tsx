import { useState } from 'react'
import { type FeedFactsFragment, RotateFeedSecretDocument } from '../../../generated/dashboard/developers/graphql.ts'
import { rotateFeedSecretInput } from '../../../modules/feeds/input.ts'
import { useAction } from '../api/use-data.ts'
import { checkInput } from '../form/check-input.ts'
import { DialogForm } from '../form/dialog-form.tsx'
import { TextField } from '../form/fields.tsx'
import { showRejection, useFields } from '../form/use-fields.ts'
import { texts } from '../texts.ts'
import { ShownOnce } from '../ui/secret.tsx'
import { useToast } from '../ui/toast.tsx'

const words = texts.developers.feeds

/** Replaces the secret by one of the billing system, or by one that is made here. The old one stays for a day. */
export function FeedSecret({ feed: { id, kind }, onDone }: { feed: FeedFactsFragment; onDone(): void }) {
  const [rotate] = useAction(RotateFeedSecretDocument)
  const [made, setMade] = useState<string>()
  const show = useToast()
  const form = useFields<{ secret: string }>({ secret: '' }, checkInput(rotateFeedSecretInput.pick({ secret: true })))
  const submit = form.handleSubmit(async ({ secret }) => {
    const outcome = await rotate({ input: { id, secret: secret || null } })
    if (!outcome.data) return showRejection(form, outcome)
    const { secret: shown } = outcome.data.rotateFeedSecret
    if (shown !== null) return setMade(shown)
    show(texts.saved)
    onDone()
  })
  if (made !== undefined)
    return <ShownOnce text={made} name={words.secret} warning={texts.developers.keys.onlyNow} onDone={onDone} />
  return (
    <DialogForm form={form} onSubmit={submit} action={texts.save}>
      <TextField form={form} name="secret" label={words.secret} hint={words.secrets[kind].hint} />
    </DialogForm>
  )
}
