import { useContext, useState } from 'react'
import { ArchiveMyLinkDocument, type OverviewQuery } from '../../generated/portal/graphql.ts'
import { Copyable } from '../parts/copyable.tsx'
import { discountText } from '../parts/discount.ts'
import { type Link, NewAddress } from './new-address.tsx'
import { QueryError } from './query.ts'
import { Shareable } from './shareable.tsx'
import { texts } from './texts.ts'
import { QueryContext } from './use-query.ts'
import { ViewOnly } from './view-only.tsx'

type Coupon = OverviewQuery['me']['coupons']['nodes'][number]
type LinksProps = { links: readonly Link[]; coupons: readonly Coupon[]; onChanged(): void }

export function Links({ links, coupons, onChanged }: LinksProps) {
  const words = texts.links
  const isViewOnly = useContext(ViewOnly)
  const [status, setStatus] = useState('')
  return (
    <section aria-labelledby="links">
      <h2 id="links">{words.title}</h2>
      {links.length === 0 && coupons.length === 0 && <p className="quiet">{words.none}</p>}
      <ul className="links">
        {links.map((link) => (
          <li key={link.id}>
            <Shareable url={link.url} name={words.nameOf(link.token)} fileName={link.token} onStatus={setStatus}>
              {!isViewOnly && <Archive link={link} onArchived={onChanged} onStatus={setStatus} />}
            </Shareable>
            <p className="quiet">
              {words.visitors(link.visitors)} · {words.leads(link.leads)} · {words.conversions(link.conversions)}
            </p>
          </li>
        ))}
        {coupons.map(({ id, token, discount }) => (
          <li key={id}>
            <Copyable text={token} name={words.couponOf(token)} onStatus={setStatus} />
            <p className="quiet">
              {discount && `${words.saves(discountText(discount))} `}
              {words.coupon}
            </p>
          </li>
        ))}
      </ul>
      <NewAddress links={links} onChanged={onChanged} onStatus={setStatus} />
      {/* Always rendered: screen readers announce changes only in an element that exists already. */}
      <p role="status" className="copy-status">
        {status}
      </p>
    </section>
  )
}

/** Archives a link, after a question. */
function Archive({ link, onArchived, onStatus }: { link: Link; onArchived(): void; onStatus(status: string): void }) {
  const runQuery = useContext(QueryContext)
  const words = texts.links
  const [isAsked, setAsked] = useState(false)
  async function archive() {
    try {
      await runQuery(ArchiveMyLinkDocument, { id: link.id })
      onArchived()
    } catch (error) {
      setAsked(false)
      onStatus(texts.failures[error instanceof QueryError ? error.failure : 'rejected'])
    }
  }
  if (!isAsked)
    return (
      <button type="button" onClick={() => setAsked(true)}>
        {words.archive}
        <span className="unseen"> {words.nameOf(link.token)}</span>
      </button>
    )
  return (
    <fieldset className="ask">
      <legend>{words.archiveQuestion}</legend>
      {/* biome-ignore lint/a11y/noAutofocus: the button that was pressed has gone, and this one takes its place */}
      <button type="button" autoFocus onClick={() => setAsked(false)}>
        {words.keep}
      </button>
      <button type="button" onClick={archive}>
        {words.archiveNow}
      </button>
    </fieldset>
  )
}
