import { type ReactNode, useContext, useEffect, useRef } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { texts } from '../texts.ts'
import { CloseDialog, firstField } from '../ui/dialog.tsx'
import { FormFailure } from './fields.tsx'

type DialogFormProps<Values extends FieldValues> = {
  form: UseFormReturn<Values>
  onSubmit(): void
  /** What the button says that sends the form. */
  action: ReactNode
  /** What the button says that leaves everything as it is. By default "Cancel". */
  cancel?: string
  isDanger?: boolean
  isDisabled?: boolean
  /** Stays beside the buttons, so that it is seen while the fields are typed. */
  note?: ReactNode
  children?: ReactNode
}

/** Closes the dialog around. */
export const Cancel = ({ words = texts.cancel }: { words?: string | undefined }) => (
  <button type="button" onClick={useContext(CloseDialog)}>
    {words}
  </button>
)

/** A form in a dialog: its fields, and in a footer that stays what the service said about the form, and its buttons. */
export function DialogForm<Values extends FieldValues>({
  form,
  onSubmit,
  action,
  cancel,
  isDanger = false,
  isDisabled = false,
  note,
  children,
}: DialogFormProps<Values>) {
  const element = useRef<HTMLFormElement>(null)
  // A form that waited for data comes after the dialog has taken the focus. Before that, it is the dialog's to move.
  useEffect(() => {
    const dialog = element.current?.closest('.dialog')
    if (dialog?.contains(document.activeElement)) firstField(element)?.focus()
  }, [])
  return (
    <form ref={element} onSubmit={onSubmit} noValidate>
      {children}
      <div className="dialog-foot">
        {note && <div className="dialog-note">{note}</div>}
        <FormFailure form={form} />
        <Cancel words={cancel} />
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
}
