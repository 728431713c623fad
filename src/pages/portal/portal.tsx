import { useSyncExternalStore } from 'react'
import { EndMySessionsDocument } from '../../generated/portal/graphql.ts'
import { isFramed } from '../embed/frame.ts'
import { ThemeChoice } from '../parts/theme-choice.tsx'
import { Dashboard } from './dashboard.tsx'
import { useLanguage } from './language-choice.tsx'
import { currentView, endSession, followOtherTabs, signOut, subscribe } from './session.ts'
import { queryWithSession } from './session-query.ts'
import { SignedOut } from './signed-out.tsx'
import { texts } from './texts.ts'
import { QueryContext } from './use-query.ts'

/** The service ends the session of this tab too. If it does not answer, the session ends by itself. */
const endHere = () => {
  queryWithSession(EndMySessionsDocument, { input: {} }).catch(() => {})
}

followOtherTabs(() => {
  endHere()
  endSession('signed-out')
})

function endEverywhere() {
  endHere()
  void signOut()
}

export function Portal() {
  useLanguage()
  const view = useSyncExternalStore(subscribe, currentView)
  switch (view.state) {
    case 'signed-out':
      return <SignedOut reason={view.reason} />
    case 'signed-in':
      return (
        <QueryContext key={view.token} value={queryWithSession}>
          <Dashboard
            actions={
              // The page around a frame signs in, and chooses the theme.
              !isFramed && (
                <>
                  <ThemeChoice />
                  <button type="button" onClick={endEverywhere}>
                    {texts.signOut}
                  </button>
                </>
              )
            }
          />
        </QueryContext>
      )
    case 'signing-in':
      return (
        <main className="alone">
          <p role="status" className="quiet">
            {texts.signingIn}
          </p>
        </main>
      )
  }
}
