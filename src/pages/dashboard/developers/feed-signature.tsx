import type { FeedFactsFragment } from '../../../generated/dashboard/developers/graphql.ts'
import { updateFeedInput } from '../../../modules/feeds/input.ts'
import { action } from '../api/action.ts'
import { useAction } from '../api/use-data.ts'
import { checkInput } from '../form/check-input.ts'
import { DialogForm } from '../form/dialog-form.tsx'
import { SelectField, TextField } from '../form/fields.tsx'
import { showRejection, useFields } from '../form/use-fields.ts'
import { texts } from '../texts.ts'
import { useToast } from '../ui/toast.tsx'

const words = texts.developers.feeds.signing

const optionsOf = (names: Record<string, string>) => Object.entries(names).map(([value, name]) => ({ value, name }))

const settings = {
  signatureHeader: true,
  signatureEncoding: true,
  signaturePrefix: true,
  signatureAlgorithm: true,
  signatureContent: true,
  bodyFormat: true,
} as const

/** How requests to a generic feed are signed, and what their bodies are. */
export function FeedSignature({ feed, onDone }: { feed: FeedFactsFragment; onDone(): void }) {
  const [update] = useAction(action('updateFeed'))
  const show = useToast()
  const { signatureHeader, signaturePrefix, signatureEncoding, signatureAlgorithm, signatureContent, bodyFormat } = feed
  const form = useFields(
    {
      signatureHeader: signatureHeader ?? '',
      signatureEncoding,
      signaturePrefix: signaturePrefix ?? '',
      signatureAlgorithm,
      signatureContent,
      bodyFormat,
    },
    checkInput(updateFeedInput.pick(settings)),
  )
  const submit = form.handleSubmit(async (values) => {
    const outcome = await update({ input: { id: feed.id, ...values } })
    if (!outcome.data) return showRejection(form, outcome)
    show(words.wasChanged)
    onDone()
  })
  return (
    <DialogForm form={form} onSubmit={submit} action={texts.save}>
      <TextField form={form} name="signatureHeader" label={words.header} hint={words.headerHint} />
      <SelectField form={form} name="signatureEncoding" label={words.encoding} options={optionsOf(words.encodings)} />
      <TextField form={form} name="signaturePrefix" label={words.prefix} hint={words.prefixHint} />
      <SelectField
        form={form}
        name="signatureAlgorithm"
        label={words.algorithm}
        options={optionsOf(words.algorithms)}
      />
      <SelectField
        form={form}
        name="signatureContent"
        label={words.content}
        hint={words.replay}
        options={optionsOf(words.contents)}
      />
      <SelectField form={form} name="bodyFormat" label={words.body} options={optionsOf(words.bodies)} />
    </DialogForm>
  )
}
