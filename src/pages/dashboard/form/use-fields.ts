import { type DefaultValues, type FieldValues, type Path, type UseFormReturn, useForm } from 'react-hook-form'
import type { PostError } from '../api/post.ts'
import { texts } from '../texts.ts'

/** The problems of a form's values, by field. */
export type Check<Values> = (values: Values) => Partial<Record<keyof Values & string, string>>

const checks = new WeakMap<object, Check<never>>()

/** The element of each form, from when it was first sent. */
const elements = new WeakMap<object, HTMLFormElement>()

/**
 * Whether a field cannot be empty, by the form's own check, and whether that has to be shown: a form in which every
 * field is needed does not mark them.
 */
export function requirementOf<Values extends FieldValues>({ control, getValues }: UseFormReturn<Values>, name: string) {
  const check = checks.get(control) as Check<Record<string, unknown>> | undefined
  const values = getValues() as Record<string, unknown>
  const isNeeded = (one: string) => check?.({ ...values, [one]: '' })[one] !== undefined
  const isRequired = isNeeded(name)
  return { isRequired, isMarked: isRequired && !Object.keys(values).every(isNeeded) }
}

/** A form that is checked when it is sent, and from then on at each change. */
export function useFields<Values extends FieldValues>(
  defaultValues: DefaultValues<Values>,
  check: Check<Values>,
): UseFormReturn<Values> {
  const form = useForm<Values>({
    defaultValues,
    shouldFocusError: false,
    resolver: async (values) => {
      const problems = Object.entries(check(values)) as [string, string][]
      if (problems.length === 0) return { values, errors: {} }
      const errors = Object.fromEntries(problems.map(([field, message]) => [field, { type: 'check', message }]))
      return { values: {}, errors: errors as never }
    },
  })
  checks.set(form.control, check as Check<never>)
  const { control, handleSubmit } = form
  return {
    ...form,
    handleSubmit: (onValid) => (event) => {
      if (event?.target instanceof HTMLFormElement) elements.set(control, event.target)
      return handleSubmit(onValid, (errors) => focusFirst(control, Object.keys(errors)))(event)
    },
  }
}

/** Makes what is stored the values of the form. What was typed since they were sent stays, and is not saved. */
export function showStored<Values extends FieldValues>(form: UseFormReturn<Values>, sent: Values, stored: Values) {
  const typed = Object.entries(form.getValues()).filter(([name, value]) => value !== sent[name])
  form.reset(stored)
  for (const [name, value] of typed) form.setValue(name as Path<Values>, value, { shouldDirty: true })
}

/** Leads to the first of these fields on the page: it can be out of sight, as in a long dialog. */
function focusFirst(control: object, fields: readonly string[]): void {
  const controls = [...(elements.get(control)?.elements ?? [])] as HTMLInputElement[]
  controls.find(({ name = '' }) => fields.includes(name.split('.', 1)[0] ?? ''))?.focus()
}

/** Shows the error of a request below `/dashboard` in its form. */
export function showError<Values extends FieldValues>(form: UseFormReturn<Values>, error: unknown): void {
  const { message, problems = {} } = error as Partial<PostError>
  showRejection(form, { failure: message ?? texts.failures.internal, problems })
}

/** Shows why the service rejected a form: at its fields, and the rest above its button. */
export function showRejection<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  { failure, problems }: { failure: string; problems: Readonly<Record<string, string>> },
): void {
  const known = Object.entries(problems).filter(([field]) => field in form.getValues())
  for (const [field, message] of known) form.setError(field as Path<Values>, { type: 'service', message })
  if (known.length === 0) form.setError('root', { type: 'service', message: failure })
  focusFirst(
    form.control,
    known.map(([field]) => field),
  )
}
