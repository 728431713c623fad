import { useNavigate } from '@tanstack/react-router'
import { CreateProgramDocument } from '../../../generated/dashboard/programs/graphql.ts'
import { createProgramInput } from '../../../modules/programs/input.ts'
import { useAction } from '../api/use-data.ts'
import { checkInput } from '../form/check-input.ts'
import { currencyOptions } from '../form/currency-options.ts'
import { DialogForm } from '../form/dialog-form.tsx'
import { SelectField, TextField } from '../form/fields.tsx'
import { localeExample, localeOptions, ownLocale } from '../form/locale-options.ts'
import { showRejection, useFields } from '../form/use-fields.ts'
import { forgetSession } from '../session/session.ts'
import { texts } from '../texts.ts'

const words = texts.programs

type Fields = { name: string; url: string; currency: string; locale: string; kind: 'live' | 'sandbox' | 'shadow' }

const kinds = (['live', 'sandbox', 'shadow'] as const).map((value) => ({ value, name: words[value] }))

/** The form of a new program or sandbox. It leads to the program. */
export function CreateProgram() {
  const navigate = useNavigate()
  const [createProgram] = useAction(CreateProgramDocument)
  const form = useFields<Fields>(
    { name: '', url: '', currency: 'USD', locale: ownLocale(), kind: 'live' },
    checkInput(createProgramInput),
  )
  const chosen = form.watch(['locale', 'currency'])
  const submit = form.handleSubmit(async ({ kind, ...values }) => {
    const outcome = await createProgram({
      input: { ...values, isSandbox: kind === 'sandbox', isShadow: kind === 'shadow' },
    })
    if (!outcome.data) return showRejection(form, outcome)
    forgetSession()
    await navigate({ to: '/$program/start', params: { program: outcome.data.createProgram.program.slug } })
  })
  return (
    <DialogForm form={form} onSubmit={submit} action={words.create}>
      <TextField form={form} name="name" label={texts.fields.name} hint={words.nameHint} />
      <TextField form={form} name="url" label={words.website} type="url" placeholder="acme.com" hint={words.urlHint} />
      <SelectField
        form={form}
        name="currency"
        label={words.currency}
        hint={words.currencyHint}
        options={currencyOptions('USD')}
      />
      <SelectField
        form={form}
        name="locale"
        label={words.locale}
        hint={words.localeHint(localeExample(...chosen))}
        options={localeOptions(ownLocale())}
      />
      <SelectField form={form} name="kind" label={words.kind} hint={words.kindHint} options={kinds} />
    </DialogForm>
  )
}
