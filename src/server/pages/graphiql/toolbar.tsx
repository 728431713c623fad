import { ToolbarButton } from '@graphiql/react'
import { copyText } from './copy.ts'
import { useEditors } from './editors.ts'
import { writeLink } from './link.ts'
import { say } from './notice.tsx'
import { currentSession } from './session.ts'

/** Copies an address that opens the query here, for whoever has a key of their own. */
export function CopyLinkButton() {
  const editors = useEditors()
  const copy = async () => {
    const linked = editors.read()
    if (!linked.query.trim()) return say('There is no query to link to yet.')
    const { key } = currentSession()
    if (key && (linked.query + linked.variables).includes(key))
      return say('Not copied: the key stands in the query. Links must not carry keys.')
    const address = new URL(await writeLink(linked), location.origin + location.pathname).href
    say(
      (await copyText(address)) ? 'Link copied. It carries the query, and no key.' : 'The browser did not let us copy.',
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
