import { type ReactNode, useContext } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { texts } from '../texts.ts'
import { CloseDialog } from '../ui/dialog.tsx'
import { FormFailure } from './fields.tsx'

type DialogFormProps<Values extends FieldValues> = {
  form: UseFormReturn<Values>
  onSubmit(): void
  /** What the button says that sends the form. */
  action: ReactNode
  isDanger?: boolean
  isDisabled?: boolean
  children?: ReactNode
}

const Cancel = () => (
  <button type="button" onClick={useContext(CloseDialog)}>
    {texts.cancel}
  </button>
)

/** A form in a dialog: its fields, what the service said about the form, and its buttons. */
export const DialogForm = <Values extends FieldValues>({
  form,
  onSubmit,
  action,
  isDanger = false,
  isDisabled = false,
  children,
}: DialogFormProps<Values>) => (
  <form onSubmit={onSubmit} noValidate>
    {children}
    <FormFailure form={form} />
    <div className="dialog-foot">
      <Cancel />
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
