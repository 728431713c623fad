import { type ReactNode, useId } from 'react'
import { label as serviceLabel } from '../../kernel/input/parse.ts'
import { texts } from './texts.ts'
import type { useSave } from './use-save.ts'
import { Changing } from './view-only.tsx'

type Control = {
  id: string
  name: string
  'aria-invalid': true | undefined
  'aria-describedby': string | undefined
}

type FieldProps = { name: string; label: string; hint?: string; problem: string | undefined }

/** A label, a control, a hint, and what is wrong with the value. */
export function Field({
  name,
  label,
  hint,
  problem,
  children,
}: FieldProps & { children(control: Control): ReactNode }) {
  const id = useId()
  const describedBy = [hint && `${id}-hint`, problem && `${id}-error`].filter(Boolean).join(' ') || undefined
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({ id, name, 'aria-invalid': problem ? true : undefined, 'aria-describedby': describedBy })}
      {hint && (
        <p id={`${id}-hint`} className="hint">
          {hint}
        </p>
      )}
      {problem && (
        <p id={`${id}-error`} className="error">
          {renamed(problem, name, label)}
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

type TextFieldProps = FieldProps & {
  value?: string | null
  type?: 'text' | 'email' | 'url'
  autoComplete?: string
  spellCheck?: boolean
}

export const TextField = ({ value, type = 'text', autoComplete = 'off', spellCheck, ...field }: TextFieldProps) => (
  <Field {...field}>
    {(control) => (
      <input
        {...control}
        type={type}
        autoComplete={autoComplete}
        spellCheck={spellCheck}
        maxLength={type === 'url' ? 2048 : 255}
        defaultValue={value ?? ''}
      />
    )}
  </Field>
)

type SelectFieldProps = FieldProps & { value: string; options: readonly (readonly [value: string, name: string])[] }

export const SelectField = ({ value, options, ...field }: SelectFieldProps) => (
  <Field {...field}>
    {(control) => (
      <select {...control} defaultValue={value}>
        {options.map(([option, name]) => (
          <option key={option} value={option}>
            {name}
          </option>
        ))}
      </select>
    )}
  </Field>
)

/** A select whose choice changes what else is asked. */
export const ChoiceField = ({
  value,
  options,
  onChange,
  ...field
}: SelectFieldProps & { onChange(value: string): void }) => (
  <Field {...field}>
    {(control) => (
      <select {...control} value={value} onChange={(event) => onChange(event.target.value)}>
        {options.map(([option, name]) => (
          <option key={option} value={option}>
            {name}
          </option>
        ))}
      </select>
    )}
  </Field>
)

type CheckFieldProps = { name: string; label: string; isChecked: boolean; onChange?(isChecked: boolean): void }

/** A box that is ticked or not. */
export const CheckField = ({ name, label, isChecked, onChange }: CheckFieldProps) => (
  <label className="check">
    <input
      type="checkbox"
      name={name}
      defaultChecked={isChecked}
      onChange={(event) => onChange?.(event.target.checked)}
    />
    {label}
  </label>
)

type SavedForm = Pick<ReturnType<typeof useSave>, 'form' | 'status' | 'isSaving' | 'save'>

/** The fields of a form in a grid, its button, and what came of it. */
export const SaveForm = ({
  saving,
  action = texts.forms.save,
  children,
}: {
  saving: SavedForm
  action?: string
  children: ReactNode
}) => (
  <form ref={saving.form} onSubmit={saving.save} noValidate className="form">
    <Changing>
      <div className="fields">{children}</div>
      <div className="form-foot">
        <button type="submit" className="primary" aria-disabled={saving.isSaving || undefined}>
          {action}
        </button>
        {/* Always rendered: screen readers announce changes only in an element that exists already. */}
        <p role="status" className="form-status">
          {saving.status}
        </p>
      </div>
    </Changing>
  </form>
)
