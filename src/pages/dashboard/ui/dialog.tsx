import { AlertDialog } from '@base-ui/react/alert-dialog'
import { Dialog as BaseDialog } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { createContext, type ReactNode, useState } from 'react'
import { texts } from '../texts.ts'
import { Question, useGuard } from './guard.tsx'
import { useInertPage } from './inert-page.ts'

/** Closes the dialog around without a question, as a button to cancel does. */
export const CloseDialog = createContext<() => void>(() => {})

type DialogProps = { title: string; lead?: ReactNode; isOpen: boolean; onClose(): void; children: ReactNode }

/** A window over the view. A click outside does not close it, so that entered text and secrets are not lost. */
export function Dialog({ title, lead, isOpen, onClose, children }: DialogProps) {
  useInertPage(isOpen)
  const guard = useGuard(isOpen, onClose)
  return (
    <BaseDialog.Root open={isOpen} onOpenChange={(open) => !open && guard.leave()} disablePointerDismissal>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className="backdrop" />
        <BaseDialog.Popup className="dialog" {...guard.popup} initialFocus={() => firstField(guard.popup.ref) ?? true}>
          <div className="dialog-head">
            <BaseDialog.Title>{title}</BaseDialog.Title>
            <BaseDialog.Close className="plain close" aria-label={texts.close}>
              <X />
            </BaseDialog.Close>
          </div>
          {lead && <BaseDialog.Description className="quiet">{lead}</BaseDialog.Description>}
          <CloseDialog value={onClose}>{children}</CloseDialog>
          <Question guard={guard} />
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  )
}

/** Where a form begins. A finger gets no keyboard on the screen before it asks for one. */
export const firstField = ({ current }: { current: HTMLElement | null }) =>
  matchMedia('(pointer: coarse)').matches ? null : current?.querySelector<HTMLElement>(fields)

const fields = ':is(form *):is(input, select, textarea):enabled'

type ConfirmProps = {
  title: string
  /** Names what changes, and whether it can be undone. */
  text: ReactNode
  /** The words of the button that does it. */
  action: string
  /** Whether it takes something away. By default it does. */
  isDanger?: boolean
  isOpen: boolean
  onClose(): void
  /** Returns what went wrong, or undefined. */
  onConfirm(): Promise<string | undefined>
}

/** Asks before a step that cannot be undone. A click outside does not close it. */
export function Confirm({ title, text, action, isDanger = true, isOpen, onClose, onConfirm }: ConfirmProps) {
  const [failure, setFailure] = useState<string>()
  const [isRunning, setRunning] = useState(false)
  useInertPage(isOpen)
  const guard = useGuard(isOpen, close)
  async function confirm() {
    setRunning(true)
    const failed = await onConfirm()
    setRunning(false)
    setFailure(failed)
    if (failed === undefined) onClose()
  }
  function close() {
    setFailure(undefined)
    onClose()
  }
  return (
    <AlertDialog.Root open={isOpen} onOpenChange={(open) => !open && guard.leave()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="backdrop" />
        <AlertDialog.Popup className="dialog" {...guard.popup}>
          <AlertDialog.Title>{title}</AlertDialog.Title>
          <AlertDialog.Description render={<div />} className="dialog-text">
            {text}
          </AlertDialog.Description>
          {failure && (
            <p role="alert" className="form-failure">
              {failure}
            </p>
          )}
          <div className="dialog-foot">
            <button type="button" onClick={close}>
              {texts.cancel}
            </button>
            <button type="button" className={isDanger ? 'danger' : 'primary'} disabled={isRunning} onClick={confirm}>
              {action}
            </button>
          </div>
          <Question guard={guard} />
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
