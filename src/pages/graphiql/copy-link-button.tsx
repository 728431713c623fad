import { ToolbarButton } from '@graphiql/react'
import { writeLink } from '../parts/query-link.ts'
import { copyText } from './clipboard.ts'
import { useTabContent } from './editor-tabs.ts'
import { showNotice } from './notice.tsx'
import { currentSession } from './session.ts'

/** Copies a link that opens the query on this page. Its recipients use their own keys. */
export function CopyLinkButton() {
  const content = useTabContent()
  const copy = async () => {
    const linked = content.read()
    if (!linked.query.trim()) return showNotice('There is no query to link to.')
    const { key } = currentSession()
    if (key && (linked.query + linked.variables).includes(key))
      return showNotice('Not copied: the query contains your key. Links must not contain keys.')
    const address = new URL(await writeLink(linked), location.origin + location.pathname).href
    showNotice(
      (await copyText(address)) ? 'Link copied. It contains the query but no key.' : 'The browser blocked copying.',
    )
  }
  return (
    <ToolbarButton label="Copy link" onClick={copy}>
      <svg
        className="graphiql-toolbar-icon"
        viewBox="0 0 20 20"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.8"
        strokeLinecap="round"
        aria-hidden="true"
      >
        <path d="M8.5 11.5a3.5 3.5 0 0 0 5 0l3-3a3.5 3.5 0 0 0-5-5l-1 1M11.5 8.5a3.5 3.5 0 0 0-5 0l-3 3a3.5 3.5 0 0 0 5 5l1-1" />
      </svg>
    </ToolbarButton>
  )
}
