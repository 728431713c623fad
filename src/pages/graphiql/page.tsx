import { GraphiQL, HISTORY_PLUGIN } from 'graphiql'
import { type ComponentProps, useMemo } from 'react'
import { Logo } from '../parts/logo.tsx'
import type { LinkedQuery } from '../parts/query-link.ts'
import { ThemeChoice } from '../parts/theme-choice.tsx'
import { CopyLinkButton } from './copy-link-button.tsx'
import {
  useClearedKeyErrors,
  useLinkNavigation,
  useRunLinked,
  useScrollToActiveTab,
  useTopOfPane,
  useWaitingQuery,
} from './editor-tabs.ts'
import { useEditorOptions } from './editors.ts'
import { KeyField } from './key-field.tsx'
import { Notice } from './notice.tsx'
import { useProgramChoice, useProgramName } from './operator.ts'
import { isFolded, readyPlugin, rememberFolded } from './ready/panel.tsx'
import { Results } from './result/results.tsx'
import { createSendOperation, type Operation } from './send-operation.ts'
import { rememberOperation } from './sent-operations.ts'
import { hasAccess, recordKeyState, useSession } from './session.ts'
import { keylessStorage } from './storage.ts'
import { useListOfTabs } from './tab-roles.ts'
import { useIsDark, useTheme } from './theme.ts'

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
const wasFolded = isFolded()

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
  useProgramName()
  const isDark = useIsDark()
  return (
    <>
      <a className="skip" href="#graphiql-session">
        Skip to the query
      </a>
      <header className="bar">
        <a className="brand" href={session.person ? 'dashboard' : './'}>
          <Logo />
          Tributary
        </a>
        <KeyField />
        <div className="bar-end">
          <nav aria-label="Tributary">
            <a href={session.person ? `dashboard/${session.programId}` : 'dashboard'}>Dashboard</a>
            <a href="docs">REST API</a>
          </nav>
          <ThemeChoice />
        </div>
      </header>
      <main>
        <h1 className="unseen">GraphiQL</h1>
        <GraphiQL
          // GraphiQL types errors as the class GraphQLError; over the wire they are plain objects.
          fetcher={sendOperation as ComponentProps<typeof GraphiQL>['fetcher']}
          schema={hasAccess(session) ? undefined : null}
          storage={keylessStorage}
          forcedTheme={isDark ? 'dark' : 'light'}
          shouldPersistHeaders={false}
          showPersistHeadersSettings={false}
          isHeadersEditorEnabled={false}
          defaultEditorToolsVisibility="variables"
          defaultQuery={defaultQuery}
          initialQuery={linked?.query}
          initialVariables={linked?.variables || undefined}
          plugins={plugins}
          visiblePlugin={linked || wasFolded ? undefined : readyPlugin}
          onTogglePluginVisibility={rememberFolded}
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
            <GraphiqlContent linked={linked} />
          </GraphiQL.Footer>
        </GraphiQL>
      </main>
      <Notice />
    </>
  )
}

/** The parts that need GraphiQL's state, and therefore have to be inside of it. */
function GraphiqlContent({ linked }: { linked: LinkedQuery | null }) {
  useEditorOptions()
  useTheme()
  useListOfTabs()
  useLinkNavigation()
  useRunLinked(linked)
  useWaitingQuery()
  useScrollToActiveTab()
  useTopOfPane()
  useClearedKeyErrors()
  return <Results />
}
