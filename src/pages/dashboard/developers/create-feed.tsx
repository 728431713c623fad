import { useEffect, useRef, useState } from 'react'
import {
  CreateFeedDocument,
  type FeedKind,
  type FeedMode,
  type FeedPreset,
} from '../../../generated/dashboard/developers/graphql.ts'
import { createFeedInput } from '../../../modules/feeds/input.ts'
import { useAction } from '../api/use-data.ts'
import { checkInput } from '../form/check-input.ts'
import { DialogForm } from '../form/dialog-form.tsx'
import { SelectField, TextField } from '../form/fields.tsx'
import { showRejection, useFields } from '../form/use-fields.ts'
import { texts } from '../texts.ts'
import { CopyBox, ShownOnce } from '../ui/secret.tsx'

const words = texts.developers.feeds

type System = FeedKind | FeedPreset

const names: Readonly<Record<System, string>> = { ...words.kinds, ...words.presets }
const kinds = Object.entries(names).map(([value, name]) => ({ value, name }))
const isPreset = (system: System): system is FeedPreset => system in words.presets

/** What a feed is called if nobody types a name. */
const nameOf = (system: System): string => (system === 'GENERIC' ? '' : names[system])

type Fields = { kind: System; name: string; mode: FeedMode; secret: string }

const modes = Object.entries(words.modes).map(([value, name]) => ({ value, name }))

const settingsOf = (system: System): { kind: FeedKind; preset?: FeedPreset } =>
  isPreset(system) ? { kind: 'GENERIC', preset: system } : { kind: system }

function secretHint(system: System): string {
  const { hint, isMadeHere } = words.secrets[system]
  return isMadeHere ? hint : `${hint} ${words.secretLater}`
}

/** The form of a new feed, and then its address, and its secret if it was made here. */
export function CreateFeed({ onDone }: { onDone(): void }) {
  const [createFeed] = useAction(CreateFeedDocument)
  const [made, setMade] = useState<{ secret: string | null; url: string }>()
  const form = useFields<Fields>(
    { kind: 'STRIPE', name: nameOf('STRIPE'), mode: 'LIVE', secret: '' },
    checkInput(createFeedInput.pick({ name: true, secret: true })),
  )
  const [kind, name] = form.watch(['kind', 'name'])
  const lastKind = useRef(kind)
  // A name that nobody typed follows the kind.
  useEffect(() => {
    if (name === nameOf(lastKind.current)) form.setValue('name', nameOf(kind))
    lastKind.current = kind
  }, [kind, name, form])
  const submit = form.handleSubmit(async ({ kind, name, mode, secret }) => {
    const outcome = await createFeed({ input: { ...settingsOf(kind), name, mode, secret: secret || null } })
    if (!outcome.data) return showRejection(form, outcome)
    const { secret: shown, feed } = outcome.data.createFeed
    setMade({ secret: shown, url: feed.url })
  })
  if (made?.secret)
    return (
      <ShownOnce
        said={words.created}
        text={made.secret}
        name={words.secret}
        warning={texts.developers.keys.onlyNow}
        onDone={onDone}
      >
        <CopyBox text={made.url} name={words.url} />
      </ShownOnce>
    )
  if (made)
    return (
      <>
        <p role="status">{words.created}</p>
        <CopyBox text={made.url} name={words.url} />
        <div className="dialog-foot">
          <button type="button" className="primary" onClick={onDone}>
            {texts.done}
          </button>
        </div>
      </>
    )
  return (
    <DialogForm form={form} onSubmit={submit} action={words.create}>
      <SelectField form={form} name="kind" label={words.kind} options={kinds} />
      <TextField form={form} name="name" label={texts.fields.name} />
      <SelectField form={form} name="mode" label={words.mode} hint={words.modeHint} options={modes} />
      <TextField form={form} name="secret" label={words.secret} hint={secretHint(kind)} />
    </DialogForm>
  )
}
