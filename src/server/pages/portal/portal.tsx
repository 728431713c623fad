import { useSyncExternalStore } from 'react'
import { SignedOut } from './notice.tsx'
import { Numbers } from './numbers.tsx'
import { currentView, watch } from './session.ts'

export function Portal() {
  const view = useSyncExternalStore(watch, currentView)
  if (view.is === 'out') return <SignedOut out={view} />
  if (view.is === 'in') return <Numbers key={view.token} />
  return (
    <main className="alone">
      <p role="status" className="quiet">
        Signing you in …
      </p>
    </main>
  )
}
