import { type ReactNode, useEffect, useRef } from 'react'
import { Logo } from '../../parts/logo.tsx'
import { ThemeChoice } from '../../parts/theme-choice.tsx'
import { serviceAddress } from '../address.ts'
import { texts } from '../texts.ts'

/** A view before the dashboard: signing in, setting up, accepting an invitation. */
export function Door({ title, lead, children }: { title: string; lead?: ReactNode; children?: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = texts.titleOf(title)
    heading.current?.focus({ preventScroll: true })
  }, [title])
  return (
    <main className="door">
      <div className="door-head">
        <a className="brand" href={serviceAddress('')}>
          <Logo />
          Tributary
        </a>
        <ThemeChoice />
      </div>
      <div className="door-card">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {lead && <p className="quiet">{lead}</p>}
        {children}
      </div>
    </main>
  )
}
