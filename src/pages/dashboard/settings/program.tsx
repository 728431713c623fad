import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
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
import { currencyOptions } from '../form/currency-options.ts'
import { FormFailure, SelectField, TextField } from '../form/fields.tsx'
import { AskToLeave } from '../form/leave.tsx'
import { localeExample, localeOptions } from '../form/locale-options.ts'
import { timeZoneOptions } from '../form/time-zone-options.ts'
import { showRejection, showStored, useFields } from '../form/use-fields.ts'
import { forgetSession } from '../session/session.ts'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { Card } from '../ui/card.tsx'
import { Moment } from '../ui/moment.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { useToast } from '../ui/toast.tsx'
import { ChangeSlug } from './change-slug.tsx'

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
      {data?.program.isSandbox && <Clock program={data.program} isDisabled={!canChange} />}
    </>
  )
}

/** The values of a field with commas between them. */
const listOf = (text: string): string[] =>
  text
    .split(/[\s,]+/)
    .map((one) => one.trim())
    .filter(Boolean)

function ProgramForm({ program, isDisabled }: { program: Settings; isDisabled: boolean }) {
  const navigate = useNavigate()
  const show = useToast()
  const [updateProgram] = useAction(UpdateProgramDocument)
  const { id, currency, name, url, locale, timeZone, leaderboardShows, slug } = program
  const linkParameters = program.linkParameters.join(', ')
  const agentProvider = program.agentProvider ?? ''
  const readingCurrency = program.readingCurrency?.toUpperCase() ?? ''
  const current = {
    name,
    url,
    currency: currency.toUpperCase(),
    locale,
    timeZone,
    leaderboardShows,
    slug,
    linkParameters,
    agentProvider,
    readingCurrency,
  }
  const check = checkInput(updateProgramInput)
  const form = useFields(current, (values) => check({ ...values, linkParameters: listOf(values.linkParameters) }))
  const [newSlug, setNewSlug] = useState<string>()
  const chosen = form.watch(['locale', 'currency'])
  const save = form.handleSubmit(async (values) => {
    const outcome = await updateProgram({
      input: { id, ...values, linkParameters: listOf(values.linkParameters) },
    })
    setNewSlug(undefined)
    if (!outcome.data) return showRejection(form, outcome)
    show(texts.saved)
    showStored(form, values, values)
    // The session has the names of the programs, and the address the slug.
    forgetSession()
    await navigate({ to: '/$program/settings', params: { program: outcome.data.updateProgram.program.slug } })
  })
  const submit = form.handleSubmit(async (values) => {
    if (values.slug === slug) await save()
    else setNewSlug(values.slug)
  })
  return (
    <>
      <form onSubmit={submit} noValidate>
        <fieldset className="form-fields" disabled={isDisabled}>
          <TextField form={form} name="name" label={texts.fields.name} />
          <TextField form={form} name="url" label={texts.programs.website} type="url" hint={words.program.urlHint} />
          <SelectField
            form={form}
            name="currency"
            label={texts.programs.currency}
            hint={words.program.currencyHint}
            options={currencyOptions(currency)}
          />
          <SelectField
            form={form}
            name="readingCurrency"
            label={words.program.readingCurrency}
            hint={words.program.readingCurrencyHint}
            options={[{ value: '', name: words.program.noReadingCurrency }, ...currencyOptions(currency)]}
          />
          <SelectField
            form={form}
            name="locale"
            label={texts.programs.locale}
            hint={texts.programs.localeHint(localeExample(...chosen))}
            options={localeOptions(locale)}
          />
          <SelectField
            form={form}
            name="timeZone"
            label={texts.programs.timeZone}
            hint={texts.programs.timeZoneHint}
            options={timeZoneOptions(timeZone)}
          />
          <TextField
            form={form}
            name="linkParameters"
            label={texts.programs.linkParameters}
            hint={texts.programs.linkParametersHint}
          />
          <TextField
            form={form}
            name="agentProvider"
            label={texts.programs.agentProvider}
            hint={texts.programs.agentProviderHint}
          />
          <SelectField
            form={form}
            name="leaderboardShows"
            label={texts.settings.history.fields.leaderboardShows}
            hint={words.program.leaderboardHint}
            options={words.program.leaderboards}
          />
          <TextField form={form} name="slug" label={words.program.slug} hint={words.program.slugHint} />
          <FormFailure form={form} />
          {!isDisabled && (
            <button type="submit" className="primary" disabled={form.formState.isSubmitting}>
              {texts.save}
            </button>
          )}
        </fieldset>
      </form>
      <AskToLeave form={form} />
      <ChangeSlug from={slug} to={newSlug} onClose={() => setNewSlug(undefined)} onConfirm={save} />
    </>
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
