import { useEffect } from 'react'
import { OverviewDocument, type OverviewQuery } from '../../../generated/portal/graphql.ts'
import { Commissions } from './commissions.tsx'
import { Links } from './links.tsx'
import { TroubleNote } from './notice.tsx'
import { OverTime } from './over-time.tsx'
import { Payouts } from './payouts.tsx'
import { leave } from './session.ts'
import { Sums } from './sums.tsx'
import { termsOf } from './terms.ts'
import { useAnswer } from './use-answer.ts'
import { useCurrencies } from './use-currencies.ts'

/** All that an affiliate sees of their own. */
export function Numbers() {
  const { data, trouble, isLoading, askAgain } = useAnswer(OverviewDocument, {})
  const me = data?.me
  const title = me && `${me.program.name}: affiliate portal`
  useEffect(() => {
    if (title) document.title = title
  }, [title])
  return (
    <>
      <a className="skip" href="#numbers">
        Skip to your numbers
      </a>
      <header className="top">
        <p className="program">{me?.program.name ?? 'Affiliate portal'}</p>
        <div className="who">
          {me && (
            <p>
              <span className="unseen">Signed in as </span>
              {[me.firstName, me.lastName].filter(Boolean).join(' ') || me.email}
            </p>
          )}
          <button type="button" onClick={() => leave('signed-out')}>
            Sign out
          </button>
        </div>
      </header>
      <main id="numbers" tabIndex={-1} aria-busy={isLoading}>
        {trouble && <TroubleNote trouble={trouble} onRetry={askAgain} />}
        {!me && isLoading && (
          <p role="status" className="quiet">
            Loading your numbers …
          </p>
        )}
        {me && <Own me={me} />}
      </main>
    </>
  )
}

function Own({ me }: { me: OverviewQuery['me'] }) {
  const { currencies, trouble, askAgain } = useCurrencies(me.program.currency)
  return (
    <>
      <div className="hello">
        <h1>Hello{me.firstName ? `, ${me.firstName}` : ''}</h1>
        <p className="quiet">{me.email}</p>
      </div>
      <section aria-labelledby="terms">
        <h2 id="terms">What you earn</h2>
        <ul className="terms">
          {termsOf(me.campaign).map((term) => (
            <li key={term}>{term}</li>
          ))}
        </ul>
      </section>
      {trouble && <TroubleNote trouble={trouble} onRetry={askAgain} />}
      {currencies?.map((currency) => (
        <Sums key={currency} currency={currency} isOnly={currencies.length === 1} />
      ))}
      {currencies && <OverTime currencies={currencies} />}
      <Links links={me.links.nodes} coupon={me.coupon?.token ?? null} />
      <Commissions />
      <Payouts />
    </>
  )
}
