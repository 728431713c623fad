import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { OneCustomerDocument, type WholeCustomerFragment } from '../../../generated/dashboard/customers/graphql.ts'
import { FailureNotice } from '../../parts/failure-notice.tsx'
import { Email } from '../../parts/format.tsx'
import { AffiliateLink, StateBadge } from '../affiliate-name.tsx'
import { useData } from '../api/use-data.ts'
import { Fact } from '../money/fact.tsx'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { Card } from '../ui/card.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Empty } from '../ui/empty.tsx'
import { Moment } from '../ui/moment.tsx'
import { Page } from '../ui/page.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { EndReferral, MoveReferral } from './change.tsx'
import { Claims } from './claims.tsx'
import { CustomerSales } from './sales.tsx'

const words = texts.customers
const route = getRouteApi('/signed-in/$program/customers/$id')

/** One customer: who referred them, what they bought, and who else has a claim. */
export function Customer() {
  const { id } = route.useParams()
  const { program } = useProgram()
  const { data, failure, retry } = useData(OneCustomerDocument, { id })
  const customer = data?.customer
  return (
    <Page
      title={customer ? (customer.name ?? customer.email) : words.one}
      lead={
        <Link to="/$program/customers" params={{ program: program.slug }}>
          {words.title}
        </Link>
      }
      actions={customer && <Actions customer={customer} />}
    >
      {failure && <FailureNotice message={failure} onRetry={retry} />}
      {!data && !failure && <Skeleton />}
      {data && !customer && <Empty title={texts.money.unknown} text={texts.money.unknownText} />}
      {customer && (
        <>
          <Referred customer={customer} />
          <CustomerSales customer={customer} />
          <Claims customer={customer} />
        </>
      )}
    </Page>
  )
}

/** The referral that counts now. */
const present = ({ referrals, referral }: WholeCustomerFragment) =>
  referrals.nodes.find(({ id }) => id === referral?.id)

function Actions({ customer }: { customer: WholeCustomerFragment }) {
  const { canChange } = useProgram()
  const [asked, setAsked] = useState<'move' | 'end'>()
  const { referral } = customer
  const close = () => setAsked(undefined)
  if (!canChange || !referral) return null
  const isEnded = Boolean(present(customer)?.endedAt)
  return (
    <>
      {!isEnded && (
        <button type="button" onClick={() => setAsked('end')}>
          {words.end} …
        </button>
      )}
      <button type="button" onClick={() => setAsked('move')}>
        {words.move} …
      </button>
      <Dialog title={words.moveTitle} lead={words.moveLead} isOpen={asked === 'move'} onClose={close}>
        <MoveReferral customer={customer} referralId={referral.id} onDone={close} />
      </Dialog>
      <EndReferral customer={customer} referralId={referral.id} isOpen={asked === 'end'} onDone={close} />
    </>
  )
}

function Referred({ customer }: { customer: WholeCustomerFragment }) {
  const { affiliate, source, firstSeenAt, expiresAt, email } = customer
  const claim = present(customer)
  return (
    <Card title={words.referred}>
      <dl className="facts">
        <Fact name={words.by}>
          {affiliate ? (
            <>
              <AffiliateLink affiliate={affiliate} />
              {affiliate.state !== 'ACTIVE' && <StateBadge state={affiliate.state} />}
            </>
          ) : (
            words.nobody
          )}
        </Fact>
        <Fact name={texts.fields.email}>
          <Email address={email} />
        </Fact>
        <Fact name={words.since}>
          <Moment at={firstSeenAt} />
        </Fact>
        {source && (
          <Fact name={words.how}>
            {words.sources[source]} <code>{claim?.coupon?.token ?? claim?.link?.token}</code>{' '}
            {claim?.sub && <span className="quiet">{words.sub(claim.sub)}</span>}
          </Fact>
        )}
        {affiliate && (
          <Fact name={claim?.endedAt ? words.ended : words.until}>
            {expiresAt ? <Moment at={expiresAt} /> : words.forever}
          </Fact>
        )}
      </dl>
    </Card>
  )
}
