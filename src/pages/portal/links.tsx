import { useState } from 'react'
import type { OverviewQuery } from '../../generated/portal/graphql.ts'
import { Copyable } from '../parts/copyable.tsx'
import { discountText } from '../parts/discount.ts'
import { formatCount } from '../parts/format.tsx'

type Link = OverviewQuery['me']['links']['nodes'][number]
type Coupon = OverviewQuery['me']['coupons']['nodes'][number]

export function Links({ links, coupons }: { links: Link[]; coupons: Coupon[] }) {
  const [copyStatus, setCopyStatus] = useState('')
  return (
    <section aria-labelledby="links">
      <h2 id="links">Share</h2>
      {links.length === 0 && coupons.length === 0 && (
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
        {coupons.map(({ id, token, discount }) => (
          <li key={id}>
            <Copyable text={token} name={`coupon ${token}`} onStatus={setCopyStatus} />
            <p className="quiet">
              {discount && `The customer saves ${discountText(discount)}. `}
              Your coupon. Sales with it count as yours, even without your link.
            </p>
          </li>
        ))}
      </ul>
      {/* Always rendered: screen readers announce changes only in an element that exists already. */}
      <p role="status" className="copy-status">
        {copyStatus}
      </p>
    </section>
  )
}
