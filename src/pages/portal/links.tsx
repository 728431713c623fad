import { useState } from 'react'
import type { OverviewQuery } from '../../generated/portal/graphql.ts'
import { Copyable } from '../parts/copyable.tsx'
import { formatCount } from '../parts/format.tsx'

type Link = OverviewQuery['me']['links']['nodes'][number]

export function Links({ links, coupon }: { links: Link[]; coupon: string | null }) {
  const [copyStatus, setCopyStatus] = useState('')
  return (
    <section aria-labelledby="links">
      <h2 id="links">Share</h2>
      {links.length === 0 && coupon === null && (
        <p className="quiet">You have no link yet. Ask the program to create one for you.</p>
      )}
      <ul className="links">
        {links.map((link) => (
          <li key={link.id}>
            <Copyable text={link.url} name={`link ${link.token}`} onStatus={setCopyStatus} />
            <p className="quiet">
              {formatCount(link.visitors, 'visitor')} · {formatCount(link.leads, 'lead')} ·{' '}
              {formatCount(link.conversions, 'conversion')}
            </p>
          </li>
        ))}
        {coupon !== null && (
          <li>
            <Copyable text={coupon} name={`coupon ${coupon}`} onStatus={setCopyStatus} />
            <p className="quiet">Your coupon. Sales with it count as yours, even without your link.</p>
          </li>
        )}
      </ul>
      {/* Always rendered: screen readers announce changes only in an element that exists already. */}
      <p role="status" className="copy-status">
        {copyStatus}
      </p>
    </section>
  )
}
