import { useBlocker } from '@tanstack/react-router'
import { useRef } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { texts } from '../texts.ts'
import { Confirm } from '../ui/dialog.tsx'

const words = texts.guard

/** Asks before a view is left whose form was changed. Saving the form may lead elsewhere. */
export function AskToLeave<Values extends FieldValues>({ form }: { form: UseFormReturn<Values> }) {
  const { isDirty, isSubmitting } = form.formState
  const isLost = useRef(false)
  isLost.current = isDirty && !isSubmitting
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isLost.current && current.pathname !== next.pathname,
    enableBeforeUnload: () => isLost.current,
    withResolver: true,
  })
  return (
    <Confirm
      title={words.leaveTitle}
      text={<p>{words.leaveText}</p>}
      action={words.leave}
      isOpen={status === 'blocked'}
      onClose={() => reset?.()}
      onConfirm={async () => {
        proceed?.()
        return undefined
      }}
    />
  )
}
