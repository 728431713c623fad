import { useNavigate } from '@tanstack/react-router'
import {
  AdvanceClockDocument,
  ProgramSettingsDocument,
  type ProgramSettingsQuery,
  UpdateProgramDocument,
} from '../../../generated/dashboard/settings/graphql.ts'
import { advanceClockInput, updateProgramInput } from '../../../modules/programs/input.ts'
import { FailureNotice } from '../../parts/failure-notice.tsx'
import { useAction, useData } from '../api/use-data.ts'
import { checkInput } from '../form/check-input.ts'
import { FormFailure, TextField } from '../form/fields.tsx'
import { showRejection, useFields } from '../form/use-fields.ts'
import { forgetSession } from '../session/session.ts'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { Card } from '../ui/card.tsx'
import { Moment } from '../ui/moment.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { useToast } from '../ui/toast.tsx'

const words = texts.settings

type Settings = ProgramSettingsQuery['program']

export function ProgramSettings() {
  const { data, failure, retry } = useData(ProgramSettingsDocument, {})
  const { canChange } = useProgram()
  return (
    <>
      <Card title={words.program.title} lead={canChange ? words.program.lead : words.program.readOnly}>
        {failure && <FailureNotice message={failure} onRetry={retry} />}
        {!data && !failure && <Skeleton />}
        {data && <ProgramForm key={data.program.slug} program={data.program} isDisabled={!canChange} />}
      </Card>
      {data?.program.sandbox && <Clock program={data.program} isDisabled={!canChange} />}
    </>
  )
}

function ProgramForm({ program, isDisabled }: { program: Settings; isDisabled: boolean }) {
  const navigate = useNavigate()
  const show = useToast()
  const [updateProgram] = useAction(UpdateProgramDocument)
  const { id, name, url, currency, locale, slug } = program
  const form = useFields({ name, url, currency: currency.toUpperCase(), locale, slug }, checkInput(updateProgramInput))
  const submit = form.handleSubmit(async (values) => {
    const outcome = await updateProgram({ input: { id, ...values } })
    if (!outcome.data) return showRejection(form, outcome)
    show(texts.saved)
    // The session has the names of the programs, and the address the slug.
    forgetSession()
    await navigate({ to: '/$program/settings', params: { program: outcome.data.updateProgram.program.slug } })
  })
  return (
    <form onSubmit={submit} noValidate>
      <fieldset className="form-fields" disabled={isDisabled}>
        <TextField form={form} name="name" label={texts.fields.name} />
        <TextField form={form} name="url" label={texts.programs.website} type="url" hint={words.program.urlHint} />
        <TextField form={form} name="currency" label={texts.programs.currency} hint={words.program.currencyHint} />
        <TextField form={form} name="locale" label={words.program.locale} hint={words.program.localeHint} />
        <TextField form={form} name="slug" label={words.program.slug} hint={words.program.slugHint} />
        <FormFailure form={form} />
        {!isDisabled && (
          <button type="submit" className="primary" disabled={form.formState.isSubmitting}>
            {texts.save}
          </button>
        )}
      </fieldset>
    </form>
  )
}

/** The clock of a sandbox, which can only go on. */
function Clock({ program, isDisabled }: { program: Settings; isDisabled: boolean }) {
  const show = useToast()
  const [advanceClock] = useAction(AdvanceClockDocument)
  const form = useFields({ days: '30' }, checkInput(advanceClockInput))
  const submit = form.handleSubmit(async ({ days }) => {
    const outcome = await advanceClock({ input: { programId: program.id, days: Number(days) } })
    if (!outcome.data) return showRejection(form, outcome)
    show(words.clock.advanced(Number(days)))
  })
  return (
    <Card title={words.clock.title} lead={words.clock.lead}>
      <p>
        {words.clock.now} <Moment at={program.clock} />
      </p>
      {!isDisabled && (
        <form onSubmit={submit} noValidate>
          <TextField form={form} name="days" label={words.clock.days} type="number" inputMode="numeric" />
          <FormFailure form={form} />
          <button type="submit" disabled={form.formState.isSubmitting}>
            {words.clock.advance}
          </button>
        </form>
      )}
    </Card>
  )
}
