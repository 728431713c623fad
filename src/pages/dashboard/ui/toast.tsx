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
        <Toast.Close className="plain close" aria-label={texts.close}>
          <X />
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  ))
}

/** Returns a function that shows a short message. */
export function useToast(): (message: string) => void {
  const { add } = Toast.useToastManager()
  return (message) => {
    add({ title: message })
  }
}
