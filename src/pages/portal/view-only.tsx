import { createContext, type ReactNode, useContext } from 'react'
import { texts } from './texts.ts'

/** Whether a person of the program sees what the affiliate sees. The service rejects each change then. */
export const ViewOnly = createContext(false)

export const ViewOnlyBar = () => <aside className="view-only">{texts.viewOnly}</aside>

/** What changes something: it cannot be used in a portal that is only viewed. */
export const Changing = ({ children }: { children: ReactNode }) => (
  <fieldset className="changing" disabled={useContext(ViewOnly)}>
    {children}
  </fieldset>
)
