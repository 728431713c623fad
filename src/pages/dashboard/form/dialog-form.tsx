import type { ReactNode } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { texts } from '../texts.ts'
import { FormFailure } from './fields.tsx'

type DialogFormProps<Values extends FieldValues> = {
  form: UseFormReturn<Values>
  onSubmit(): void
  /** What the button says that sends the form. */
  action: ReactNode
  isDanger?: boolean
  isDisabled?: boolean
  /** With it, there is a button to cancel. */
  onCancel?(): void
  children?: ReactNode
}

/** A form in a dialog: its fields, what the service said about the form, and its buttons. */
export const DialogForm = <Values extends FieldValues>({
  form,
  onSubmit,
  action,
  isDanger = false,
  isDisabled = false,
  onCancel,
  children,
}: DialogFormProps<Values>) => (
  <form onSubmit={onSubmit} noValidate>
    {children}
    <FormFailure form={form} />
    <div className="dialog-foot">
      {onCancel && (
        <button type="button" onClick={onCancel}>
          {texts.cancel}
        </button>
      )}
      <button
        type="submit"
        className={isDanger ? 'danger' : 'primary'}
        disabled={isDisabled || form.formState.isSubmitting}
      >
        {action}
      </button>
    </div>
  </form>
)
