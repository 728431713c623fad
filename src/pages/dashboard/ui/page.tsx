import { type ReactNode, useEffect, useRef } from 'react'
import { texts } from '../texts.ts'

type PageProps = {
  title: string
  /** A sentence below the title. */
  lead?: ReactNode
  /** Buttons next to the title. */
  actions?: ReactNode
  children: ReactNode
}

/** Whether a view was shown before: the first one leaves the focus where the browser puts it. */
let hasShownView = false

/** A view with its title. Opening it moves the focus to the title, so that screen readers announce it. */
export function Page({ title, lead, actions, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = texts.titleOf(title)
  }, [title])
  useEffect(() => {
    if (hasShownView) heading.current?.focus({ preventScroll: true })
    hasShownView = true
  }, [])
  return (
    <div className="page">
      <header className="page-head">
        <div>
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {lead && <p className="quiet">{lead}</p>}
        </div>
        {actions && <div className="actions">{actions}</div>}
      </header>
      {children}
    </div>
  )
}
