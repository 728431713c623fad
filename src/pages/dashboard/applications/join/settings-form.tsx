import type { JoinSettingsFragment } from '../../../../generated/dashboard/applications/join/graphql.ts'
import { updateJoinSettingsInput } from '../../../../modules/applications/input.ts'
import { action } from '../../api/action.ts'
import { useAction } from '../../api/use-data.ts'
import { checkInput } from '../../form/check-input.ts'
import { AreaField, FormFailure, SelectField, TextField } from '../../form/fields.tsx'
import { AskToLeave } from '../../form/leave.tsx'
import { showRejection, useFields } from '../../form/use-fields.ts'
import { useProgram } from '../../session/use-program.ts'
import { texts } from '../../texts.ts'
import { Card } from '../../ui/card.tsx'
import { useToast } from '../../ui/toast.tsx'
import { linesOf } from './values.ts'

const words = texts.applications.join

type Values = {
  isOpen: 'true' | 'false'
  text: string
  logoUrl: string
  color: string
  origins: string
  mailsManagers: 'true' | 'false'
  applicationsPerMinute: string
}

const check = checkInput<Record<string, unknown>>(updateJoinSettingsInput)

/** What the page shows, and who can send applications. */
export function JoinSettingsForm({ settings }: { settings: JoinSettingsFragment }) {
  const { canChange } = useProgram()
  const [update] = useAction(action('updateJoinSettings'))
  const show = useToast()
  const form = useFields<Values>(
    {
      isOpen: settings.isOpen ? 'true' : 'false',
      text: settings.text ?? '',
      logoUrl: settings.logoUrl ?? '',
      color: settings.color ?? '',
      origins: settings.origins.join('\n'),
      mailsManagers: settings.mailsManagers ? 'true' : 'false',
      applicationsPerMinute: String(settings.applicationsPerMinute),
    },
    (values) => check({ ...values, origins: linesOf(values.origins) }),
  )
  const submit = form.handleSubmit(async ({ isOpen, text, logoUrl, color, origins, mailsManagers, ...values }) => {
    const input = { text: text || null, logoUrl: logoUrl || null, color: color || null, origins: linesOf(origins) }
    const flags = { isOpen: isOpen === 'true', mailsManagers: mailsManagers === 'true' }
    const applicationsPerMinute = Number(values.applicationsPerMinute)
    const outcome = await update({ input: { ...input, ...flags, applicationsPerMinute } })
    if (outcome.data) show(texts.saved)
    else showRejection(form, outcome)
  })
  return (
    <Card title={words.look} lead={words.lookLead}>
      <form onSubmit={submit} noValidate>
        <fieldset className="form-fields" disabled={!canChange}>
          <SelectField form={form} name="isOpen" label={words.open} options={words.openOptions} />
          <AreaField form={form} name="text" label={words.text} hint={words.textHint} rows={5} />
          <TextField form={form} name="logoUrl" label={words.logoUrl} hint={words.logoUrlHint} type="url" />
          <TextField form={form} name="color" label={words.color} hint={words.colorHint} placeholder="#1f5eff" />
          <AreaField form={form} name="origins" label={words.origins} hint={words.originsHint} rows={3} />
          <TextField
            form={form}
            name="applicationsPerMinute"
            label={words.applicationsPerMinute}
            hint={words.applicationsPerMinuteHint}
            inputMode="numeric"
          />
          <SelectField
            form={form}
            name="mailsManagers"
            label={words.mailsManagers}
            hint={words.mailsManagersHint}
            options={words.mailsManagersOptions}
          />
          <FormFailure form={form} />
          {canChange && (
            <button type="submit" className="primary" disabled={form.formState.isSubmitting}>
              {texts.save}
            </button>
          )}
        </fieldset>
      </form>
      <AskToLeave form={form} />
    </Card>
  )
}
