import { type ReactNode, useId, useState } from 'react'
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form'
import { groupBy } from '../../../kernel/group-by.ts'
import { label as serviceLabel } from '../../../kernel/input/parse.ts'
import { texts } from '../texts.ts'
import { requirementOf } from './use-fields.ts'
import { asWebAddress } from './web-address.ts'

type FieldProps<Values extends FieldValues> = {
  form: UseFormReturn<Values>
  name: Path<Values>
  label: string
  hint?: ReactNode
}

type Control = {
  id: string
  'aria-required': boolean | undefined
  'aria-invalid': boolean | undefined
  'aria-describedby': string | undefined
}

/** A label, a control, a hint, and what is wrong with the value. */
function Field<Values extends FieldValues>({
  form,
  name,
  label,
  hint,
  children,
}: FieldProps<Values> & { children(control: Control): ReactNode }) {
  const id = useId()
  const [{ isRequired, isMarked }] = useState(() => requirementOf(form, name))
  const { error } = form.getFieldState(name, form.formState)
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined
  return (
    <div className="field">
      <label htmlFor={id} className={isMarked ? 'required' : undefined}>
        {label}
      </label>
      {children({
        id,
        'aria-required': isRequired || undefined,
        'aria-invalid': error ? true : undefined,
        'aria-describedby': describedBy,
      })}
      {hint && (
        <p id={`${id}-hint`} className="hint">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className="error">
          {renamed(error.message ?? '', name, label)}
        </p>
      )}
    </div>
  )
}

/** The service begins a message with the name of its field; people know the field by its label. */
function renamed(message: string, field: string, label: string): string {
  const begin = `${serviceLabel(field)} `
  return message.startsWith(begin) ? `${label} ${message.slice(begin.length)}` : message
}

type TextFieldProps<Values extends FieldValues> = FieldProps<Values> & {
  type?: 'text' | 'email' | 'password' | 'url' | 'number' | 'date'
  autoComplete?: string
  inputMode?: 'numeric' | 'decimal'
  placeholder?: string
}

export const TextField = <Values extends FieldValues>(props: TextFieldProps<Values>) => {
  const { form, name, type = 'text', autoComplete = 'off', inputMode, placeholder } = props
  return (
    <Field {...props}>
      {(control) => (
        <input
          {...control}
          {...form.register(name, type === 'url' ? asWebAddress : {})}
          type={type}
          autoComplete={autoComplete}
          inputMode={inputMode}
          placeholder={placeholder}
        />
      )}
    </Field>
  )
}

/** A text of several lines. */
export const AreaField = <Values extends FieldValues>(props: FieldProps<Values> & { rows: number }) => (
  <Field {...props}>
    {(control) => <textarea {...control} {...props.form.register(props.name)} rows={props.rows} />}
  </Field>
)

/** Any number of choices. The value is a list. */
export const ChecksField = <Values extends FieldValues>({
  form,
  name,
  label,
  hint,
  options,
}: FieldProps<Values> & { options: readonly { value: string; name: string }[] }) => (
  <fieldset className="checks">
    <legend>{label}</legend>
    {options.map((option) => (
      <label key={option.value} className="check">
        <input type="checkbox" value={option.value} {...form.register(name)} /> {option.name}
      </label>
    ))}
    {hint && <p className="hint">{hint}</p>}
  </fieldset>
)

/** Options of one group follow each other. */
export type Option = { value: string; name: string; group?: string }

export const SelectField = <Values extends FieldValues>(props: FieldProps<Values> & { options: readonly Option[] }) => (
  <Field {...props}>
    {(control) => (
      <select {...control} {...props.form.register(props.name)}>
        {groupsOf(props.options).map(([group, options]) =>
          group === undefined ? (
            options.map(toElement)
          ) : (
            <optgroup key={group} label={group}>
              {options.map(toElement)}
            </optgroup>
          ),
        )}
      </select>
    )}
  </Field>
)

const groupsOf = (options: readonly Option[]) => [...groupBy(options, ({ group }) => group)]

const toElement = ({ value, name }: Option) => (
  <option key={value} value={value}>
    {name}
  </option>
)

/** A password that is being chosen, with what is asked of it. */
export const NewPasswordField = <Values extends FieldValues>(
  props: Pick<FieldProps<Values>, 'form' | 'name' | 'label'>,
) => <TextField {...props} type="password" autoComplete="new-password" hint={texts.people.passwordHint} />

/** The service's message about the whole form. */
export const FormFailure = <Values extends FieldValues>({ form }: { form: UseFormReturn<Values> }) => {
  const { root } = form.formState.errors
  return root?.message ? (
    <p role="alert" className="form-failure">
      {root.message}
    </p>
  ) : null
}
