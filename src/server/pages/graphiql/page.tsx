import { GraphiQL, HISTORY_PLUGIN } from 'graphiql'
import { useMemo } from 'react'
import { useEditorManners, useLinksOnTheWay, useTabInSight } from './editors.ts'
import { KeyField } from './key-field.tsx'
import type { Linked } from './link.ts'
import { Notice } from './notice.tsx'
import { readyPlugin } from './ready/panel.tsx'
import { Results } from './result/results.tsx'
import { createSend } from './send.ts'
import { noteKeyState, useSession } from './session.ts'
import { keylessStorage } from './storage.ts'
import { useTheme } from './theme.ts'
import { CopyLinkButton } from './toolbar.tsx'

const defaultQuery = `# Enter a key above, or open one of the ready queries on the left.
# Ctrl-Enter runs the query. Tab leaves the editor; after Ctrl-M it indents.
# A line like the next one says how the result is shown first: json, table or chart.
# view: table
query FirstLook {
  affiliates(first: 10) {
    nodes { email state visitors leads conversions createdAt }
  }
}
`

const plugins = [readyPlugin, HISTORY_PLUGIN]

/** @param linked what the address of the page carried */
export function Page({ linked }: { linked: Linked | null }) {
  const session = useSession()
  // Always a new one for a new session: that is when GraphiQL asks for the schema again.
  const send = useMemo(() => createSend(session, (state) => noteKeyState(session, state)), [session])
  return (
    <>
      <a className="skip" href="#graphiql-session">
        Skip to the query
      </a>
      <header className="bar">
        <a className="brand" href="graphql">
          <Mark />
          Tributary
        </a>
        <KeyField />
        <nav aria-label="Tributary">
          <a href="docs">REST API</a>
        </nav>
      </header>
      <main>
        <GraphiQL
          fetcher={send as never}
          schema={session.key ? undefined : null}
          storage={keylessStorage}
          shouldPersistHeaders={false}
          showPersistHeadersSettings={false}
          isHeadersEditorEnabled={false}
          defaultEditorToolsVisibility="variables"
          defaultQuery={defaultQuery}
          initialQuery={linked?.query}
          initialVariables={linked?.variables || undefined}
          plugins={plugins}
          visiblePlugin={readyPlugin}
          inputValueDeprecation
          schemaDescription
        >
          <GraphiQL.Logo>{null}</GraphiQL.Logo>
          <GraphiQL.Toolbar>
            {({ prettify, merge, copy }) => (
              <>
                {prettify}
                {merge}
                {copy}
                <CopyLinkButton />
              </>
            )}
          </GraphiQL.Toolbar>
          <GraphiQL.Footer>
            <Inside />
          </GraphiQL.Footer>
        </GraphiQL>
      </main>
      <Notice />
    </>
  )
}

/** What needs to be inside of GraphiQL to know its state. */
function Inside() {
  useEditorManners()
  useTheme()
  useLinksOnTheWay()
  useTabInSight()
  return <Results />
}

const Mark = () => (
  <svg viewBox="0 0 32 32" width="26" height="26" aria-hidden="true">
    <rect width="32" height="32" rx="7" fill="#0f766e" />
    <path
      d="M16 27V15M16 17C16 12 9 12 9 6M16 17c0-5 7-5 7-11"
      fill="none"
      stroke="#fff"
      strokeWidth="3"
      strokeLinecap="round"
    />
  </svg>
)
