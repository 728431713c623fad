import { ToolbarButton } from '@graphiql/react'
import { Link } from 'lucide-react'
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
      <Link className="graphiql-toolbar-icon" />
    </ToolbarButton>
  )
}
