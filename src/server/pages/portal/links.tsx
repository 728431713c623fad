import { useState } from 'react'
import type { OverviewQuery } from '../../../generated/portal/graphql.ts'
import { Copyable } from './copyable.tsx'
import { counted } from './format.tsx'

type Link = OverviewQuery['me']['links']['nodes'][number]

export function Links({ links, coupon }: { links: Link[]; coupon: string | null }) {
  const [said, setSaid] = useState('')
  return (
    <section aria-labelledby="links">
      <h2 id="links">Share</h2>
      {links.length === 0 && coupon === null && (
        <p className="quiet">You have no link yet. Ask the program for one, and share it to earn commissions.</p>
      )}
      <ul className="links">
        {links.map((link) => (
          <li key={link.id}>
            <Copyable text={link.url} what={`link ${link.token}`} onSay={setSaid} />
            <p className="quiet">
              {counted(link.visitors, 'visitor')} · {counted(link.leads, 'lead')} ·{' '}
              {counted(link.conversions, 'conversion')}
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
