import type { UseFormReturn } from 'react-hook-form'
import { TextField } from '../../form/fields.tsx'
import { texts } from '../../texts.ts'

const words = texts.campaigns.rules

/** From when and until when a rule holds, as days in the browser's time zone. */
export type DayValues = { from: string; until: string }

/** The form has more fields than these. */
export const Days = <Values extends DayValues>({
  form,
  hasStart = true,
}: {
  form: UseFormReturn<Values>
  hasStart?: boolean
}) => {
  const days = form as unknown as UseFormReturn<DayValues>
  return (
    <div className="field-pair">
      {hasStart && <TextField form={days} name="from" label={words.startsAt} hint={words.startsAtHint} type="date" />}
      <TextField form={days} name="until" label={words.endsAt} hint={words.endsAtHint} type="date" />
    </div>
  )
}

/** The days as GraphQL has them. The last day is whole. */
export function daysInput({ from, until }: DayValues): { startsAt?: string; endsAt?: string } {
  const start = from === '' ? null : new Date(`${from}T00:00`)
  const end = until === '' ? null : new Date(`${until}T00:00`)
  end?.setDate(end.getDate() + 1)
  return {
    // Today is from now on: a rule does not hold for what has happened.
    ...(start && start > new Date() && { startsAt: start.toISOString() }),
    ...(end && { endsAt: end.toISOString() }),
  }
}

/** The last day of a rule, as it is typed. */
export function typedEnd(endsAt: string | null): string {
  if (endsAt === null) return ''
  const last = new Date(new Date(endsAt).getTime() - 1)
  const two = (part: number) => String(part).padStart(2, '0')
  return `${last.getFullYear()}-${two(last.getMonth() + 1)}-${two(last.getDate())}`
}

/** What is wrong with the days. */
export const dayProblems = ({ from, until }: DayValues): Partial<DayValues> =>
  until !== '' && until < (from || new Date().toISOString().slice(0, 10)) ? { until: words.endsBefore } : {}
