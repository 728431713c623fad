import { useRef, useState } from 'react'
import { counted } from './format.tsx'
import type { OverviewQuery } from './generated/graphql.ts'

type Link = OverviewQuery['me']['links']['nodes'][number]

export function Links({ links, coupon }: { links: Link[]; coupon: string | null }) {
  const [said, setSaid] = useState('')
  return (
    <section aria-labelledby="links">
      <h2 id="links">Share</h2>
      <ul className="links">
        {links.map((link) => (
          <li key={link.id}>
            <Copyable text={link.url} what={`link ${link.token}`} onSay={setSaid} />
            <p className="quiet">
              {counted(link.visitors, 'visitor')} · {counted(link.leads, 'lead')} ·{' '}
              {counted(link.conversions, 'customer')}
            </p>
          </li>
        ))}
        {coupon !== null && (
          <li>
            <Copyable text={coupon} what={`coupon ${coupon}`} onSay={setSaid} />
            <p className="quiet">Your coupon: a sale with it is yours, with or without the link.</p>
          </li>
        )}
      </ul>
      {/* Always there, so that what comes into it is read out. */}
      <p role="status" className="said">
        {said}
      </p>
    </section>
  )
}

function Copyable({ text, what, onSay }: { text: string; what: string; onSay(said: string): void }) {
  const shown = useRef<HTMLElement>(null)
  async function copy() {
    onSay('')
    try {
      await navigator.clipboard.writeText(text)
      onSay(`Copied: ${text}`)
    } catch {
      // Over plain http, or where the reader said no: they can still copy it by hand.
      if (shown.current) getSelection()?.selectAllChildren(shown.current)
      onSay('Your browser does not let this page copy. It is selected: press Ctrl+C, or Command+C.')
    }
  }
  return (
    <div className="copyable">
      <code ref={shown}>{text}</code>
      <button type="button" onClick={copy}>
        Copy<span className="unseen"> {what}</span>
      </button>
    </div>
  )
}
