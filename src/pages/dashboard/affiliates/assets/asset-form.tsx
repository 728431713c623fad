import { useId, useState } from 'react'
import type { AssetFragment, AssetKind } from '../../../../generated/dashboard/affiliates/assets/graphql.ts'
import { createAssetInput, maxImageBytes } from '../../../../modules/assets/input.ts'
import { action } from '../../api/action.ts'
import { useAction } from '../../api/use-data.ts'
import { checkInput } from '../../form/check-input.ts'
import { DialogForm } from '../../form/dialog-form.tsx'
import { AreaField, SelectField, TextField } from '../../form/fields.tsx'
import { showRejection, useFields } from '../../form/use-fields.ts'
import { texts } from '../../texts.ts'
import { useToast } from '../../ui/toast.tsx'

const words = texts.assets

type Values = { kind: AssetKind; name: string; text: string; url: string; page: string; content: string }

const check = checkInput<Record<string, unknown>>(createAssetInput)

/** The bytes of a file as base64. */
async function contentOf(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text)
}

const kinds = (['IMAGE', 'TEXT', 'VIDEO'] as const).map((value) => ({ value, name: words.kinds[value] }))

/** The form of a new asset, or of one that exists: its kind and its image stay. */
export function AssetForm({ asset, onDone }: { asset: AssetFragment | null; onDone(): void }) {
  const fileId = useId()
  const [create] = useAction(action('createAsset'))
  const [update] = useAction(action('updateAsset'))
  const [fileProblem, setFileProblem] = useState('')
  const show = useToast()
  const form = useFields<Values>(
    {
      kind: asset?.kind ?? 'IMAGE',
      name: asset?.name ?? '',
      text: asset?.text ?? '',
      url: asset?.url ?? '',
      page: asset?.page ?? '',
      content: '',
    },
    (values) => check(filled(values)),
  )
  const kind = form.watch('kind')
  async function choose(file: File | undefined) {
    const isTooLarge = file !== undefined && file.size > maxImageBytes
    setFileProblem(isTooLarge ? words.tooLarge : '')
    form.setValue('content', file && !isTooLarge ? await contentOf(file) : '')
  }
  const submit = form.handleSubmit(async ({ kind, content, ...values }) => {
    const shown = { name: values.name, text: values.text || null, page: values.page || null }
    const url = kind === 'VIDEO' ? values.url || null : null
    if (!asset && kind === 'IMAGE' && content === '') return setFileProblem(words.needsFile)
    const outcome = asset
      ? await update({ input: { id: asset.id, ...shown, url } })
      : await create({ input: { kind, ...shown, url, content: kind === 'IMAGE' ? content : null } })
    if (!outcome.data) return showRejection(form, outcome)
    show(texts.saved)
    onDone()
  })
  return (
    <DialogForm form={form} onSubmit={submit} action={asset ? texts.save : words.create}>
      {!asset && <SelectField form={form} name="kind" label={words.kind} options={kinds} />}
      <TextField form={form} name="name" label={texts.fields.name} hint={words.nameHint} />
      {!asset && kind === 'IMAGE' && (
        <div className="field">
          <label htmlFor={fileId}>{words.file}</label>
          <input
            id={fileId}
            type="file"
            accept="image/png,image/jpeg,image/gif,image/webp"
            aria-invalid={fileProblem !== '' || undefined}
            aria-describedby={`${fileId}-hint`}
            onChange={({ target }) => void choose(target.files?.[0])}
          />
          <p id={`${fileId}-hint`} className={fileProblem ? 'error' : 'quiet'} role={fileProblem ? 'alert' : undefined}>
            {fileProblem || words.fileHint}
          </p>
        </div>
      )}
      {kind === 'VIDEO' && <TextField form={form} name="url" type="url" label={words.url} />}
      <AreaField form={form} name="text" label={kind === 'IMAGE' ? words.alt : words.text} rows={3} />
      <TextField form={form} name="page" type="url" label={words.page} hint={words.pageHint} />
    </DialogForm>
  )
}

/** What is not entered is not sent. */
const filled = (values: Values) => Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))
