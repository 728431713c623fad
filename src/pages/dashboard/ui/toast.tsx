import { Toast } from '@base-ui/react/toast'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { texts } from '../texts.ts'

/** Where short messages appear after an action. */
export const Toasts = ({ children }: { children: ReactNode }) => (
  <Toast.Provider>
    {children}
    <Toast.Portal>
      <Toast.Viewport className="toasts">
        <List />
      </Toast.Viewport>
    </Toast.Portal>
  </Toast.Provider>
)

function List() {
  const { toasts } = Toast.useToastManager()
  return toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className="toast">
      <Toast.Content className="toast-content">
        <Toast.Title render={<p />} />
        <Toast.Action className="toast-action" />
        <Toast.Close className="plain close" aria-label={texts.close}>
          <X />
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  ))
}

/** How long an action can be undone in its message. Afterwards there is a way on the page of the thing. */
const undoMs = 10_000

/** Returns a function that shows a short message, with a button that takes the action back if there is a way. */
export function useToast(): (message: string, undo?: () => Promise<void> | void) => void {
  const { add, close } = Toast.useToastManager()
  return (message, undo) => {
    if (!undo) return void add({ title: message })
    const id = add({
      title: message,
      timeout: undoMs,
      actionProps: {
        children: texts.undo,
        onClick: () => {
          close(id)
          void undo()
        },
      },
    })
  }
}
