import type { ReactNode } from 'react'

/** What a part without data says: what will be there, and what to do for it. */
export const Empty = ({ title, text, action }: { title: string; text: ReactNode; action?: ReactNode }) => (
  <div className="empty">
    <p className="empty-title">{title}</p>
    <p className="quiet">{text}</p>
    {action}
  </div>
)
