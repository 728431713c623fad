import { type ReactNode, useId } from 'react'

type CardProps = { title: string; lead?: ReactNode; actions?: ReactNode; children?: ReactNode; className?: string }

/** A part of a view, with its title. */
export function Card({ title, lead, actions, children, className }: CardProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className={className}>
      <div className="head">
        <div>
          <h2 id={id}>{title}</h2>
          {lead && <p className="quiet">{lead}</p>}
        </div>
        {actions && <div className="actions">{actions}</div>}
      </div>
      {children}
    </section>
  )
}
