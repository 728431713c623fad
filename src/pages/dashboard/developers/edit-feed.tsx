import type { FeedFactsFragment, FeedMode, FeedPart } from '../../../generated/dashboard/developers/graphql.ts'
import { updateFeedInput } from '../../../modules/feeds/input.ts'
import { action } from '../api/action.ts'
import { useAction } from '../api/use-data.ts'
import { checkInput } from '../form/check-input.ts'
import { DialogForm } from '../form/dialog-form.tsx'
import { SelectField, TextField } from '../form/fields.tsx'
import { showRejection, useFields } from '../form/use-fields.ts'
import { texts } from '../texts.ts'
import { useToast } from '../ui/toast.tsx'

const words = texts.developers.feeds

const modes = Object.entries({ '': words.anyMode, ...words.modes }).map(([value, name]) => ({ value, name }))
const parts = Object.keys(words.parts) as FeedPart[]

type Fields = { name: string; mode: FeedMode | ''; includes: FeedPart[] }

/** What can be changed of a feed beside its secret and its mapping. */
export function EditFeed({ feed, onDone }: { feed: FeedFactsFragment; onDone(): void }) {
  const { id, name, mode, includes } = feed
  const [update] = useAction(action('updateFeed'))
  const show = useToast()
  const form = useFields<Fields>(
    { name, mode: mode ?? '', includes: [...includes] },
    checkInput(updateFeedInput.pick({ name: true })),
  )
  const submit = form.handleSubmit(async (values) => {
    const outcome = await update({ input: { id, ...values, mode: values.mode || null } })
    if (!outcome.data) return showRejection(form, outcome)
    show(words.wasChanged)
    onDone()
  })
  return (
    <DialogForm form={form} onSubmit={submit} action={texts.save}>
      <TextField form={form} name="name" label={texts.fields.name} />
      <SelectField form={form} name="mode" label={words.mode} hint={words.modeHint} options={modes} />
      <fieldset className="check-group">
        <legend>{words.includes}</legend>
        <p className="hint">{words.includesHint}</p>
        <div className="checks">
          {parts.map((part) => (
            <label key={part}>
              <input type="checkbox" value={part} {...form.register('includes')} />
              {words.parts[part]}
            </label>
          ))}
        </div>
      </fieldset>
    </DialogForm>
  )
}
