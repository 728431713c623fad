import { lazy, type ReactNode, Suspense, useId, useState } from 'react'
import { Copyable } from '../parts/copyable.tsx'
import { texts } from './texts.ts'

const QrCode = lazy(() => import('./qr-code.tsx'))

type ShareableProps = {
  url: string
  /** What the address is, for screen readers: "link ada". */
  name: string
  /** Of saved QR codes, without the ending. */
  fileName: string
  onStatus(status: string): void
  /** More buttons beside that of the QR code. */
  children?: ReactNode
}

/** An address with buttons that copy it and show its QR code. */
export function Shareable({ url, name, fileName, onStatus, children }: ShareableProps) {
  const words = texts.qr
  const [isShown, setShown] = useState(false)
  const id = useId()
  return (
    <>
      <Copyable text={url} name={name} onStatus={onStatus} />
      <div className="buttons">
        <button type="button" aria-expanded={isShown} aria-controls={id} onClick={() => setShown(!isShown)}>
          {isShown ? words.hide : words.show}
          <span className="unseen"> {name}</span>
        </button>
        {children}
      </div>
      <div id={id}>
        {isShown && (
          <Suspense fallback={<p className="quiet">{texts.loading}</p>}>
            <QrCode url={url} fileName={fileName} />
          </Suspense>
        )}
      </div>
    </>
  )
}
