import { GraphiQL, HISTORY_PLUGIN } from 'graphiql'
import { type ComponentProps, useMemo } from 'react'
import type { LinkedQuery } from '../parts/query-link.ts'
import { CopyLinkButton } from './copy-link-button.tsx'
import { useClearedKeyErrors, useLinkNavigation, useScrollToActiveTab, useTopOfPane } from './editor-tabs.ts'
import { useEditorOptions } from './editors.ts'
import { KeyField } from './key-field.tsx'
import { Notice } from './notice.tsx'
import { useProgramChoice } from './operator.ts'
import { readyPlugin } from './ready/panel.tsx'
import { Results } from './result/results.tsx'
import { createSendOperation, type Operation } from './send-operation.ts'
import { rememberOperation } from './sent-operations.ts'
import { hasAccess, recordKeyState, useSession } from './session.ts'
import { keylessStorage } from './storage.ts'
import { useTheme } from './theme.ts'

const defaultQuery = `# Enter a key above, then write a query or open a ready query.
# Ctrl-Enter runs the query. Tab leaves the editor; press Ctrl-M to make it indent.
# The next line selects how the result is shown: json, table or chart.
# view: table
query FirstLook {
  affiliates(first: 10) {
    nodes { email state visitors leads conversions createdAt }
  }
}
`

const plugins = [readyPlugin, HISTORY_PLUGIN]

/** @param linked the query in the address of the page */
export function Page({ linked }: { linked: LinkedQuery | null }) {
  const session = useSession()
  // A new function for each session, because GraphiQL loads the schema again when its fetcher changes.
  const sendOperation = useMemo(() => {
    const send = createSendOperation(session, (state) => recordKeyState(session, state))
    return (operation: Operation) => {
      rememberOperation(operation)
      return send(operation)
    }
  }, [session])
  useProgramChoice()
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
          // GraphiQL types errors as the class GraphQLError; over the wire they are plain objects.
          fetcher={sendOperation as ComponentProps<typeof GraphiQL>['fetcher']}
          schema={hasAccess(session) ? undefined : null}
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
            <GraphiqlContent />
          </GraphiQL.Footer>
        </GraphiQL>
      </main>
      <Notice />
    </>
  )
}

/** The parts that need GraphiQL's state, and therefore have to be inside of it. */
function GraphiqlContent() {
  useEditorOptions()
  useTheme()
  useLinkNavigation()
  useScrollToActiveTab()
  useTopOfPane()
  useClearedKeyErrors()
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
