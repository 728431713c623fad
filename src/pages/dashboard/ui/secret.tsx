import { type ReactNode, useState } from 'react'
import { Copyable } from '../../parts/copyable.tsx'
import { texts } from '../texts.ts'
import { shownOnce } from './guard.tsx'

/** A text to copy, with what happened to it. A secret that is shown once carries a warning. */
type CopyBoxProps = { text: string; name: string; warning?: string; isShownOnce?: boolean }

export function CopyBox({ text, name, warning, isShownOnce = false }: CopyBoxProps) {
  const [status, setStatus] = useState('')
  return (
    <div className="copy-box" {...(isShownOnce && shownOnce)}>
      <Copyable text={text} name={name} onStatus={setStatus} />
      {warning && <p className="warning">{warning}</p>}
      <p role="status" className="copy-status">
        {status && (status.startsWith('Copied') ? texts.copied : status)}
      </p>
    </div>
  )
}

type ShownOnceProps = {
  said?: string
  text: string
  name: string
  warning: string
  onDone(): void
  children?: ReactNode
}

/** A secret or a link in a dialog, which is shown only now. */
export const ShownOnce = ({ said, text, name, warning, onDone, children }: ShownOnceProps) => (
  <>
    {said && <p>{said}</p>}
    <CopyBox text={text} name={name} warning={warning} isShownOnce />
    {children}
    <div className="dialog-foot">
      <button type="button" className="primary" onClick={onDone}>
        {texts.done}
      </button>
    </div>
  </>
)
